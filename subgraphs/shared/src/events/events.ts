/** Receives the payload of an event; null when events may have been missed. */
export type Listener = (payload: string | null) => void;

/**
 * Events that PostgreSQL publishes (NOTIFY, mostly from triggers): delivered at most once, and only while connected.
 * They are published in SQL, so that they leave with the commit or not at all.
 */
export interface Events {
  /**
   * Calls the listener for each event on a channel. It is called with null when some may have been missed: after the
   * connection was lost and restored, and when this process first subscribes to the channel.
   *
   * @param channel a fixed name in lower case: it is put into SQL as it is
   * @returns a function that ends the subscription
   */
  subscribe(channel: string, listener: Listener): () => void;
  stop(): Promise<void>;
}
