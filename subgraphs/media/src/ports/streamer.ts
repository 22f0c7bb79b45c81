/** The address of a node's API. */
export interface NodeAddress {
  host: string;
  apiPort: number;
}

/** The API of streamer nodes; cache and load-balancer nodes support only `ping`. */
export interface Streamer {
  /**
   * Pings a node, for five seconds at most.
   *
   * @throws {Refusal} `NODE_UNREACHABLE`, `NODE_TIMEOUT`, `NODE_BROKE_OFF`, `NODE_REFUSED` or
   * `NODE_ADDRESS_FORBIDDEN`, like all methods here
   */
  ping(node: NodeAddress): Promise<void>;

  /**
   * Creates a stream.
   *
   * @returns `created`; `existed` when the node answers 500 and has the stream; `unconfirmed` when it
   * answers 500, which by its contract means that the stream exists, but doesn't show it
   */
  createStream(node: NodeAddress, streamId: string, payload: object): Promise<'created' | 'existed' | 'unconfirmed'>;

  /** Returns whether a node has a stream. */
  hasStream(node: NodeAddress, streamId: string): Promise<boolean>;

  /** Ends a stream. Idempotent. */
  deleteStream(node: NodeAddress, streamId: string): Promise<void>;
}
