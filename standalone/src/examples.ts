/** What Sandbox offers to try: the same operations as the README's. */
export const examples = [
  {
    title: 'Three subgraphs in one answer',
    document: `query House {
  me {
    user { name email }
    organization { role organization { name orders(first: 1) { edges { node { orderNo transactionStatus totalAmount } } } } }
  }
  advertisingTickets { titleEn image { id status assetUrl } }
}`,
  },
  {
    title: 'What is on sale',
    document: `query OnSale {
  ticketGroups(first: 10) {
    edges { node { ticketGroupId groupNameEn organization { name } variants { itemId nameEn unitPrice } } }
  }
}`,
  },
  {
    title: 'Follow an order',
    document: `subscription Follow($orderNo: String!, $email: String) {
  orderStatusChanged(orderNo: $orderNo, email: $email) {
    orderNo
    transactionStatus
    ticketGroup { groupNameEn organization { name } }
  }
}`,
  },
];
