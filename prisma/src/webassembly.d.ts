/** The part of WebAssembly that we use: TypeScript has it only in the types of browsers. */
declare namespace WebAssembly {
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  const Module: new (bytes: Uint8Array) => object;
  const Instance: new (module: object, imports: Record<string, object>) => Instance;
}
