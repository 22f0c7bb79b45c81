/** Where a node takes orders. */
export interface NodeAddress {
  host: string;
  apiPort: number;
}

/** What is asked of streamer nodes; of cache and load-balancer nodes, only `ping`. */
export interface Streamer {
  /**
   * Asks whether a node is there, for five seconds at most.
   *
   * @throws {Refusal} `NODE_UNREACHABLE`, `NODE_TIMEOUT`, `NODE_BROKE_OFF`, `NODE_REFUSED` or
   * `NODE_ADDRESS_FORBIDDEN`, as all of these
   */
  ping(node: NodeAddress): Promise<void>;

  /**
   * Orders a stream.
   *
   * @returns `created`; `existed` when the node answers 500 and has the stream; `unconfirmed` when it
   * answers 500, which by its contract means that the stream exists, but doesn't show it
   */
  createStream(node: NodeAddress, streamId: string, payload: object): Promise<'created' | 'existed' | 'unconfirmed'>;

  /** Whether a node has a stream. */
  hasStream(node: NodeAddress, streamId: string): Promise<boolean>;

  /** Ends a stream; one that is not there has ended. */
  deleteStream(node: NodeAddress, streamId: string): Promise<void>;
}
