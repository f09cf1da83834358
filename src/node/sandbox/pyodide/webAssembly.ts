/** What this backend uses of the JavaScript API of WebAssembly, which Node's types leave to the browser's. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The import objects that are handed to `WebAssembly.instantiate`. */
export type Imports = Record<string, Record<string, unknown>>;

interface WebAssemblyApi {
  instantiate: (this: void, source: Uint8Array, imports?: Imports) => Promise<{ instance: { exports: Record<string, unknown> } }>;
  readonly Memory: new (size: { initial: number }) => WasmMemory;
  readonly RuntimeError: ErrorConstructor;
}

/** The engine's own object: what is set on it is seen by everybody in this process. */
export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
