import { MessageType, type Message } from 'graphql-ws';

/** The ids of the operations of one connection. */
export interface OperationIds {
  /** Has a message of the client heard, and settles when it was dealt with: `subscribe` with the end of its operation. */
  hear(message: Message, text: string): Promise<void>;
  /** A message to the client, as it knows it; undefined for one about an operation that it has completed. */
  answer(text: string): string | undefined;
}

/**
 * A client may use an id again once it has completed its operation, though that one may still be coming to its end here. graphql-ws
 * would take both for one: it would answer the second with what is left of the first, and forget it with that. So the second has
 * another id here.
 *
 * @param protocol hears a message as text
 */
export function operationIds(protocol: (text: string) => Promise<void>): OperationIds {
  /** The ids of operations here, by those that the client gave, as long as it has not completed them. */
  const active = new Map<string, string>();
  /** The ids that the client gave, by those here, until the operation has come to its end. */
  const given = new Map<string, string>();
  let repeated = 0;

  function idFor(id: string): string {
    let own = id;
    while (given.has(own)) own = `${id} ${(repeated += 1)}`;
    return own;
  }
  async function run(id: string, message: Message, text: string) {
    const own = idFor(id);
    active.set(id, own);
    given.set(own, id);
    try {
      await protocol(own === id ? text : JSON.stringify({ ...message, id: own }));
    } finally {
      given.delete(own);
      if (active.get(id) === own) active.delete(id);
    }
  }

  return {
    async hear(message, text) {
      if (message.type !== MessageType.Subscribe && message.type !== MessageType.Complete) return protocol(text);
      const { id } = message;
      const own = active.get(id);
      if (own === undefined) return message.type === MessageType.Subscribe ? run(id, message, text) : undefined;
      if (message.type === MessageType.Complete) active.delete(id);
      return protocol(own === id ? text : JSON.stringify({ ...message, id: own }));
    },
    answer(text) {
      const [head, quoted] = /^\{"id":("(?:[^"\\]|\\.)*"),/.exec(text) ?? [];
      if (head === undefined || quoted === undefined) return text;
      const own = JSON.parse(quoted) as string;
      const id = given.get(own);
      if (id === undefined || active.get(id) !== own) return undefined;
      if (!text.startsWith(`"type":"${MessageType.Next}"`, head.length)) active.delete(id);
      return own === id ? text : `{"id":${JSON.stringify(id)},${text.slice(head.length)}`;
    },
  };
}
