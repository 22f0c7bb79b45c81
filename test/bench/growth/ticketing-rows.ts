import { CUSTOMER } from './list.ts';
import type { Rows } from './rows.ts';

/** The numbers of rows that are added begin behind these, so that they meet none of the demonstration. */
const GROUPS = 1_000_000;
const ORDERS = 10_000_000;
/** How many ticket groups sell: the others are of former years. */
const SELLING = 200;

const order = `${ORDERS} + n`;
const group = `(1 + pg_temp.pick(n, 'group', ${SELLING}))`;
const day = `now() - interval '1 year' + n * interval '30 seconds'`;

/** As many orders with a line each, and notifications; a quarter as many mails, a tenth as many customers, ticket groups, campaigns and advertising tickets. */
export const ticketingRows: Rows[] = [
  {
    table: 'ticketing.customer',
    insert: `INSERT INTO ticketing.customer (cust_id, email, full_name, updated_at)
      SELECT pg_temp.id_of('customer', n), 'buyer' || n || '@growth.test', 'Buyer', now()
      FROM generate_series($1::bigint / 10, $2::bigint / 10 - 1) n`,
  },
  {
    table: 'ticketing.ticket_group',
    insert: `INSERT INTO ticketing.ticket_group (ticket_group_id, organization_id, workspace_id, slug, group_name_bm, group_name_en,
        group_name_cn, tags, placement, is_active, daily_capacity, updated_at)
      SELECT ${GROUPS} + n, pg_temp.organization_of(n), pg_temp.workspace_of(n), 'growth-' || n, 'Muzium ' || n, 'Museum ' || n, 'M ' || n,
        ARRAY[CASE pg_temp.pick(n, 'tag', 200) WHEN 0 THEN 'rare' ELSE 'family' END], pg_temp.pick(n, 'placement', 100),
        pg_temp.pick(n, 'active', 10) > 0, 1000, now()
      FROM generate_series($1::bigint / 10 + 1, $2::bigint / 10) n`,
  },
  {
    table: 'ticketing.ticket_group_tag',
    insert: `INSERT INTO ticketing.ticket_group_tag (ticket_group_id, tag, organization_id, placement)
      SELECT ticket_group_id, unnest(tags), organization_id, placement FROM ticketing.ticket_group
      WHERE ticket_group_id BETWEEN ${GROUPS} + $1::bigint / 10 + 1 AND ${GROUPS} + $2::bigint / 10 AND is_active`,
  },
  {
    table: 'ticketing.order_ticket_group',
    insert: `INSERT INTO ticketing.order_ticket_group (order_ticket_group_id, ticket_group_id, organization_id, workspace_id, cust_id,
        lang_chosen, transaction_id, order_no, bill_id, product_id, transaction_status, total_amount_sen, quantity, buyer_name,
        buyer_email, admit_date, gateway_transaction_id, hold_expires_at, paid_at, review_reason, review_resolved_at, created_at, updated_at)
      SELECT ${order}, ${GROUPS} + ${group}, pg_temp.organization_of(${group}), pg_temp.workspace_of(${group}),
        CASE WHEN n % 200 = 0 THEN '${CUSTOMER}' ELSE pg_temp.id_of('customer', n / 10) END, 'bm', pg_temp.id_of('transaction', n),
        'ORD-' || to_char(${day}, 'YYYYMMDD') || '-' || upper(left(md5('order' || n), 13)), 'bill' || n, 'TG1', s.status,
        CASE s.status WHEN 'FREE' THEN 0 ELSE 5000 END, 1,
        (ARRAY['Siti','Aminah','Ahmad','Farid','Mei','Wei','Ling','Jun','Ravi','Priya','Kumar','Devi','Nurul','Hafiz','Daniel','Sarah'])[1 + pg_temp.pick(n, 'first', 16)]
          || ' ' || initcap(left(md5('family' || pg_temp.pick(n, 'family', 2000)), 7)),
        'buyer' || n / 10 || '@growth.test', (${day})::date + 7, CASE s.status WHEN 'SUCCESS' THEN 'gateway' || n END,
        now() + interval '1 year', CASE s.status WHEN 'SUCCESS' THEN ${day} END, r.reason,
        CASE WHEN r.reason IS NOT NULL AND pg_temp.pick(n, 'resolved', 20) > 0 THEN ${day} END, ${day}, ${day}
      FROM generate_series($1::bigint + 1, $2::bigint) n,
        LATERAL (SELECT pg_temp.pick(n, 'status', 2000) AS share) p,
        LATERAL (SELECT CASE WHEN share < 1 THEN 'PENDING' WHEN share < 2 THEN 'INITIATED' WHEN share < 12 THEN 'FREE'
          WHEN share < 150 THEN 'FAILED' ELSE 'SUCCESS' END::ticketing.transaction_status AS status) s,
        LATERAL (SELECT CASE pg_temp.pick(n, 'review', 500) WHEN 0 THEN 'AMOUNT_MISMATCH' WHEN 1 THEN 'DOUBLE_PAYMENT'
          WHEN 2 THEN 'REFUND_DUE' END::ticketing.review_reason AS reason) r`,
  },
  {
    table: 'ticketing.order_ticket_info',
    insert: `INSERT INTO ticketing.order_ticket_info (order_ticket_group_id, ticket_variant_id, item_id, unit_price_sen, item_desc1,
        item_desc2, item_desc3, variant, quantity_bought, admit_date)
      SELECT ${order}, 1, 'ADULT', 5000, 'Dewasa', 'Adult', 'Adult', 'Adult', 1, (${day})::date + 7
      FROM generate_series($1::bigint + 1, $2::bigint) n`,
  },
  {
    table: 'ticketing.delivery',
    insert: `INSERT INTO ticketing.delivery (order_ticket_group_id, kind, recipient, state, message_id, created_at)
      SELECT ${order}, 'confirmation', 'buyer' || n / 10 || '@growth.test',
        CASE pg_temp.pick(n, 'mail', 200) WHEN 0 THEN 'DEAD' ELSE 'SENT' END::ticketing.delivery_state, 'm' || n, ${day}
      FROM generate_series($1::bigint + 1, $2::bigint) n WHERE n % 4 = 0`,
  },
  {
    table: 'ticketing.notification',
    insert: `INSERT INTO ticketing.notification (position, organization_id, workspace_id, performed_by, authority_level, type, title,
        message, date, is_read, is_deleted, repeats_platform, updated_at)
      SELECT ${ORDERS} + n, CASE WHEN n % 10 > 0 THEN pg_temp.organization_of(n) END, CASE WHEN n % 10 > 4 THEN pg_temp.workspace_of(n) END,
        'staff', 'ADMIN', 'Order', 'Order', 'An order.', '01-01-2026 00:00:00', pg_temp.pick(n, 'read', 50) > 0,
        pg_temp.pick(n, 'deleted', 20) = 0, false, now()
      FROM generate_series($1::bigint + 1, $2::bigint) n`,
  },
  {
    table: 'ticketing.target_group',
    insert: `INSERT INTO ticketing.target_group (id, organization_id, name, updated_at)
      SELECT md5('target group' || id)::uuid, id, 'All', now()
      FROM (SELECT DISTINCT pg_temp.organization_of(n) AS id FROM generate_series(1, 80) n) o WHERE $1::bigint = 0 AND $2::bigint > 0`,
  },
  {
    table: 'ticketing.campaign',
    insert: `INSERT INTO ticketing.campaign (id, organization_id, workspace_id, name, target_group_id, start_date, end_date, created_at, updated_at)
      SELECT pg_temp.id_of('campaign', n), o.id, pg_temp.workspace_of(n), 'Campaign ' || n, md5('target group' || o.id)::uuid, now(), now(),
        ${day}, now()
      FROM generate_series($1::bigint / 10 + 1, $2::bigint / 10) n, LATERAL (SELECT pg_temp.organization_of(n) AS id) o`,
  },
  {
    table: 'ticketing.advertising_ticket',
    insert: `INSERT INTO ticketing.advertising_ticket (advertising_ticket_id, organization_id, workspace_id, advertisement_type, placement,
        is_active, updated_at)
      SELECT ${GROUPS} + n, pg_temp.organization_of(n), pg_temp.workspace_of(n), 'coupon', pg_temp.pick(n, 'placement', 100),
        pg_temp.pick(n, 'active', 10) > 0, now()
      FROM generate_series($1::bigint / 10 + 1, $2::bigint / 10) n`,
  },
];
