import { pathToFileURL } from 'node:url';
import { ImportLock, RefusedImport } from './importLock';
import { webAssembly } from './webAssembly';
import { applyPages, differingPages, type HeapImage } from './heapImage';

/** What this file uses of an Emscripten module and its in-memory file system. */
interface Stream { fd: number; path: string; flags: number; position: number; node?: { mode: number }; stream_ops: Record<string, unknown> }
interface FileSystem {
  streams: (Stream | null | undefined)[];
  filesystems: { MEMFS: { ops_table: Record<'dir' | 'file' | 'link' | 'chrdev', { node: Record<string, unknown>; stream: Record<string, unknown> }> } };
  ErrnoError: new (errno: number) => Error;
  writeFile(path: string, data: Uint8Array | string): void;
  mkdirTree(path: string): void;
  makedev(major: number, minor: number): number;
  registerDevice(device: number, operations: Record<string, unknown>): void;
  mkdev(path: string, device: number): void;
  open(path: string, flags: number): Stream;
  close(stream: Stream): void;
  isFile(mode: number): boolean;
}
interface EmscriptenModule {
  HEAPU8: Uint8Array<ArrayBuffer>;
  HEAPU32: Uint32Array;
  FS: FileSystem;
  _malloc(size: number): number;
  _free(at: number): void;
  _PyImport_ImportModule(name: number): number;
  _PyObject_GetAttrString(object: number, name: number): number;
  _PyUnicode_FromStringAndSize(text: number, size: number): number;
  _PyObject_CallOneArg(callable: number, argument: number): number;
  _PyUnicode_AsUTF8AndSize(text: number, size: number): number;
  _Py_DecRef(object: number): void;
  _PyErr_Clear(): void;
  stackSave(): number;
  __emscripten_stack_restore(pointer: number): void;
}
interface Pyodide {
  _module: EmscriptenModule;
  version: string;
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array;
}

/** What a machine is started from. Paths are absolute folders or files on the host; they are read before the lock closes. */
export interface MachineOptions {
  /** Folder of the `pyodide` package. */
  readonly pyodide: string;
  /** Python's `PYTHONHASHSEED`. */
  readonly hashSeed: number;
  /** Files to put into the in-memory file system, by their path there. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Python that is run once before the snapshot, to import what sessions need. */
  readonly prepare: string;
  /** Python that is run after the snapshot was loaded and before the lock closes. */
  readonly beforeLock?: string;
  /** A snapshot of an earlier boot with the same options; absent for the boot that makes it. */
  readonly snapshot?: Uint8Array<ArrayBuffer>;
  /** Module and function that answer requests: `handle(text) -> text`. */
  readonly module: string;
  /** Called with what Python writes to its event descriptor during a call. The bytes belong to the callee. */
  readonly onEvent: (bytes: Buffer) => void;
}

/** Why a call ended the machine; nothing of it can be used after that. */
export class MachineDied extends Error {
  constructor(readonly why: 'refused-import' | 'stack' | 'exit' | 'memory' | 'output' | 'trap', detail: string) {
    super(detail);
    this.name = 'MachineDied';
  }
}

/** A request's answer longer than this many bytes ends the session. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const EROFS = 69;
const WASM_PAGE = 65_536;
/** The time while Python boots, in ms since 1970. */
const BOOT_TIME_MS = Date.UTC(2026, 0, 1);
const EVENTS = '/dev/envwright';

/** A Python in WebAssembly whose imports are locked, whose files cannot change, and whose memory goes back to one image between sessions. */
export class Machine {
  private readonly base: Uint8Array<ArrayBuffer>;
  private readonly baseStack: number;
  private readonly baseStreams: readonly (Stream | null | undefined)[];
  private readonly handler: number;
  private readonly sizeCell: number;

  private constructor(private readonly module: EmscriptenModule, private readonly lock: ImportLock, handlerModule: string) {
    this.handler = this.attribute(handlerModule, 'handle');
    this.sizeCell = module._malloc(8);
    lock.close();
    this.base = module.HEAPU8.slice();
    this.baseStack = module.stackSave();
    this.baseStreams = [...module.FS.streams];
  }

  /** Boots without a snapshot, runs `prepare`, and gives the memory snapshot; the booted machine is of no further use. */
  static async snapshot(options: MachineOptions): Promise<Uint8Array> {
    const { python } = await boot(options, true);
    python.runPython(options.prepare);
    return python.makeMemorySnapshot();
  }

  /** Boots from the snapshot and locks. */
  static async start(options: MachineOptions): Promise<Machine> {
    const { python, lock, startTime } = await boot(options, false);
    const module = python._module;
    if (options.beforeLock) python.runPython(options.beforeLock);
    const events = openEvents(module.FS, options.onEvent);
    python.runPython(`import ${options.module} as host; host.boot(${events}); del host`);
    freezeFiles(module.FS);
    const machine = new Machine(module, lock, options.module);
    startTime();
    return machine;
  }

  /** Bytes of the heap now; it never shrinks. */
  get heapBytes(): number {
    return this.module.HEAPU8.length;
  }

  /** The image that sessions begin with. */
  get image(): Uint8Array {
    return this.base;
  }

  /** Bounds the heap of the present session, in bytes; never below the image. */
  limitHeap(bytes: number): void {
    this.lock.heapLimit = Math.max(bytes, this.base.length);
  }

  /** Asks `handle`; throws {@link MachineDied} when Python could not come back from it. */
  call(request: Buffer): Buffer {
    const m = this.module;
    try {
      const at = m._malloc(request.length + 1);
      if (at === 0) throw new MachineDied('memory', 'no memory for the request');
      m.HEAPU8.set(request, at);
      const argument = m._PyUnicode_FromStringAndSize(at, request.length);
      m._free(at);
      const result = argument && m._PyObject_CallOneArg(this.handler, argument);
      if (argument) m._Py_DecRef(argument);
      if (!result) throw new MachineDied(this.lock.takeRefusals().heap ? 'memory' : 'trap', 'the host program failed');
      const text = m._PyUnicode_AsUTF8AndSize(result, this.sizeCell);
      const length = m.HEAPU32[this.sizeCell >>> 2]!;
      if (!text || length > MAX_ANSWER_BYTES) throw new MachineDied('output', 'the answer was no text or too long');
      const answer = Buffer.from(m.HEAPU8.subarray(text, text + length));
      m._Py_DecRef(result);
      return answer;
    } catch (error) {
      throw this.death(error);
    }
  }

  private death(error: unknown): MachineDied {
    if (error instanceof MachineDied) return error;
    const { name, heap } = this.lock.takeRefusals();
    if (error instanceof RefusedImport || (name !== null && error instanceof webAssembly.RuntimeError)) return new MachineDied('refused-import', `tried ${name ?? 'a refused import'}`);
    if (error instanceof RangeError) return new MachineDied('stack', 'the stack overflowed');
    const text = error instanceof Error ? `${error.name}: ${error.message}` : JSON.stringify(error) ?? 'unknown';
    const exited = typeof error === 'object' && error !== null && 'status' in error && !(error instanceof webAssembly.RuntimeError);
    return new MachineDied(heap ? 'memory' : exited ? 'exit' : 'trap', text.slice(0, 500));
  }

  /**
   * Puts memory, stack and open files back to the image. False when a descriptor of the image itself was closed or
   * exchanged: then the machine must be given up.
   */
  reset(): boolean {
    const m = this.module;
    m.HEAPU8.set(this.base);
    if (m.HEAPU8.length > this.base.length) m.HEAPU8.fill(0, this.base.length);
    m.__emscripten_stack_restore(this.baseStack);
    this.lock.takeRefusals();
    m.FS.streams.forEach((stream, fd) => {
      if (stream && stream !== this.baseStreams[fd]) m.FS.close(stream);
    });
    m.FS.streams.length = Math.min(m.FS.streams.length, this.baseStreams.length);
    return this.baseStreams.every((stream, fd) => !stream || (m.FS.streams[fd] === stream && stream.fd === fd));
  }

  /** What the present session has made of the image. */
  park(): HeapImage {
    const m = this.module;
    const files = m.FS.streams.flatMap((stream, fd) =>
      stream && stream !== this.baseStreams[fd] && stream.node && m.FS.isFile(stream.node.mode) ? [{ fd, path: stream.path, flags: stream.flags, position: stream.position }] : []);
    return { heapBytes: m.HEAPU8.length, stack: m.stackSave(), files, pages: differingPages(m.HEAPU8, this.base) };
  }

  /** Makes a parked session the present one; the machine must have been reset, and have the same image as the one that parked it. */
  restore(image: HeapImage): void {
    const m = this.module;
    if (image.heapBytes > m.HEAPU8.length) this.lock.growTo(image.heapBytes);
    if (image.heapBytes > m.HEAPU8.length) throw new MachineDied('memory', 'no memory to take the session up again');
    applyPages(m.HEAPU8, image.pages);
    m.__emscripten_stack_restore(image.stack);
    for (const { fd, path, flags, position } of image.files) {
      const stream = m.FS.open(path, flags);
      m.FS.streams[stream.fd] = null;
      m.FS.streams[fd] = Object.assign(stream, { fd, position });
    }
  }

  private attribute(module: string, name: string): number {
    const m = this.module;
    const text = (value: string): number => {
      const bytes = Buffer.from(`${value}\0`, 'utf8');
      const at = m._malloc(bytes.length);
      m.HEAPU8.set(bytes, at);
      return at;
    };
    return m._PyObject_GetAttrString(m._PyImport_ImportModule(text(module)), text(name));
  }
}

/**
 * Loads Pyodide with wrapped imports. Time stands still until `startTime` is called and the lock closes, so that equal options
 * give equal snapshots and images.
 */
async function boot(options: MachineOptions, snapshotLater: boolean): Promise<{ python: Pyodide; lock: ImportLock; startTime: () => void }> {
  const lock = new ImportLock(1 << 30);
  const url = (file: string): string => pathToFileURL(`${options.pyodide}/${file}`).href;
  // Pyodide's NODEFS asks for O_* constants in a way that Node's permission flags refuse; no NODEFS is ever mounted.
  Object.defineProperty(process, 'binding', { value: () => ({ fs: {} }) });
  const startTime = stopTime();
  const unwrap = wrapNextInstance(lock, options.snapshot?.length ?? 0);
  const { loadPyodide } = (await import(url('pyodide.mjs'))) as { loadPyodide: (this: void, settings: object) => Promise<Pyodide> };
  const python = await loadPyodide({
    indexURL: options.pyodide,
    jsglobals: Object.create(null) as object,
    env: { HOME: '/', PYTHONHASHSEED: String(options.hashSeed), PYTHONDONTWRITEBYTECODE: '1' },
    args: [],
    _sysExecutable: '/python',
    stdin: () => undefined,
    stdout: () => undefined,
    stderr: () => undefined,
    fsInit: (fs: FileSystem) => putFiles(fs, options.files),
    ...(snapshotLater ? { _makeSnapshot: true } : {}),
    ...(options.snapshot ? { _loadSnapshot: options.snapshot } : {}),
  });
  unwrap();
  return { python, lock, startTime };
}

/** Makes the clocks that Python reads stand still; the result lets them go on. */
function stopTime(): () => void {
  const { now: date } = Date as { now: (this: void) => number };
  const monotonic = performance.now.bind(performance);
  Date.now = () => BOOT_TIME_MS;
  performance.now = () => 0;
  return () => {
    Date.now = date;
    performance.now = monotonic;
  };
}

/**
 * Puts `lock` around the imports of the next instance that has Emscripten's, and gives it the memory that its snapshot
 * needs, which Pyodide leaves at the size of a fresh one. Undone by the result.
 */
function wrapNextInstance(lock: ImportLock, snapshotBytes: number): () => void {
  const { instantiate } = webAssembly;
  webAssembly.instantiate = async (source, imports) => {
    const { env, wasi_snapshot_preview1: wasi } = imports ?? {};
    if (env && wasi) lock.wrap({ env, wasi });
    const result = await instantiate(source, imports);
    const { memory } = result.instance.exports;
    if (memory instanceof webAssembly.Memory) {
      const missing = Math.floor((snapshotBytes - memory.buffer.byteLength) / WASM_PAGE);
      if (missing > 0) memory.grow(missing);
      lock.attach(memory);
    }
    return result;
  };
  return () => {
    webAssembly.instantiate = instantiate;
  };
}

function putFiles(fs: FileSystem, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, bytes] of files) {
    fs.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    fs.writeFile(path, bytes);
  }
}

/** Makes the descriptor that Python writes events to, one event a write, and gives its number. */
function openEvents(fs: FileSystem, onEvent: (bytes: Buffer) => void): number {
  const device = fs.makedev(64, 1);
  fs.registerDevice(device, {
    open: () => undefined,
    close: () => undefined,
    write: (_stream: Stream, heap: Int8Array, offset: number, length: number) => {
      onEvent(Buffer.from(Uint8Array.from(heap.subarray(offset, offset + length))));
      return length;
    },
  });
  fs.mkdev(EVENTS, device);
  return fs.open(EVENTS, 1).fd;
}

/** From here on no file, folder or link can be changed, by whatever way a write gets here; and what is printed to 1 and 2 is dropped unread. */
function freezeFiles(fs: FileSystem): void {
  const refuse = (): never => {
    throw new fs.ErrnoError(EROFS);
  };
  const table = fs.filesystems.MEMFS.ops_table;
  for (const name of ['mknod', 'rename', 'unlink', 'rmdir', 'symlink', 'setattr']) table.dir.node[name] = refuse;
  for (const kind of ['file', 'link', 'chrdev'] as const) table[kind].node.setattr = refuse;
  Object.assign(table.file.stream, { write: refuse, msync: refuse });
  for (const fd of [1, 2]) {
    const stream = fs.streams[fd];
    if (stream) stream.stream_ops = { ...stream.stream_ops, write: (_s: Stream, _h: Int8Array, _o: number, length: number) => length };
  }
}
