/**
 * The lock on everything that a WebAssembly Python can ask of JavaScript.
 *
 * A WebAssembly module reaches the world only through the functions it imports. Each import is wrapped before the module
 * is instantiated; while Python boots they all pass, and once {@link ImportLock.close} was called only the list below
 * does. What remains is computing, time, entropy, and reading the in-memory file system.
 */

import type { Imports, WasmMemory } from './webAssembly';

/** Imports that stay open after the lock: no file outside memory, no process, no network and no JavaScript object. */
const OPEN = new Set([
  'fd_read', 'fd_write', 'fd_close', 'fd_seek', 'fd_pread', 'fd_fdstat_get', 'fd_sync',
  'clock_time_get', 'clock_res_get', 'random_get', 'emscripten_get_now', 'emscripten_date_now',
  'emscripten_resize_heap', 'emscripten_get_heap_max',
  '__syscall_openat', '__syscall_fcntl64', '_try_fcntl64',
  '__syscall_fstat64', '__syscall_stat64', '__syscall_lstat64', '__syscall_newfstatat', '__syscall_getdents64', '__syscall_getcwd',
  '__syscall_readlinkat', '__syscall_faccessat', '__syscall_ioctl', '__syscall_dup', '__syscall_poll', '_maybe_poll_async',
  '_localtime_js', '_gmtime_js', '_mktime_js', '_timegm_js', '_tzset_js',
  '__assert_fail', '_abort_js', 'exit', 'proc_exit', '_mmap_js', '_munmap_js', '_setitimer_js',
  '_PyEM_TrampolineCall_JS', '_Py_CheckEmscriptenSignals_Helper', '_Py_emscripten_runtime', '__call_sighandler',
  'emscripten_runtime_keepalive_push', 'emscripten_runtime_keepalive_pop', '_emscripten_runtime_keepalive_clear', 'can_run_sync_js',
]);

const ENOSYS = 52;

/** What a refused import answers where C code has a way to hear "no"; every other one throws, which ends the session. */
const REFUSAL: Readonly<Record<string, number>> = {
  _emscripten_system: -1, _dlopen_js: 0, _dlsym_js: 0, _emscripten_lookup_name: 0, getaddrinfo: -4, getnameinfo: -4, getprotobyname: 0,
  _maybe_connect_async: 0, _maybe_recvfrom_async: 0, _maybe_sendto_async: 0, _try_shutdown: 0, _emscripten_get_progname: 0, environ_get: ENOSYS, environ_sizes_get: ENOSYS,
};

const EINVAL = 28;
const EROFS = 69;
/** Access modes and creation flags of `open` that would change a file. */
const WRITING = 0o3 | 0o100 | 0o1000 | 0o2000;
/** `fcntl` commands that only ask or copy: `F_DUPFD`, `F_GETFD`, `F_SETFD`, `F_GETFL`, `F_DUPFD_CLOEXEC`. `F_SETFL` can make a read-only file writable. */
const HARMLESS_FCNTL = new Set([0, 1, 2, 3, 1030]);

type Import = ((...args: unknown[]) => unknown) & Record<string, unknown>;

/** Thrown into WebAssembly for a refused import: it unwinds all of Python and cannot be caught there. */
export class RefusedImport extends Error {
  constructor(readonly importName: string) {
    super(`refused import ${importName}`);
    this.name = 'RefusedImport';
  }
}

/** Wraps imports and closes them. One for each WebAssembly instance. */
export class ImportLock {
  private closed = false;
  private lastRefusal: string | null = null;
  /** Largest heap in bytes that the module may grow to; Python sees a failed allocation beyond it. */
  heapLimit: number;
  private heapRefused = false;
  private grow: ((size: number) => unknown) | null = null;
  private memory: WasmMemory | null = null;
  private bootEntropy = 0x9e3779b9;

  constructor(heapLimit: number) {
    this.heapLimit = heapLimit;
  }

  /** Gives the lock the memory of the instance whose imports it wrapped. */
  attach(memory: WasmMemory): void {
    this.memory = memory;
  }

  /** Grows the heap to hold `size` bytes, whatever the limit is; for restoring a parked session. */
  growTo(size: number): void {
    this.grow?.(size);
  }

  /** From here on only the open imports pass. There is no way back. */
  close(): void {
    this.closed = true;
  }

  /** Name of the import that was refused last, and whether the heap was refused growth, since the last call. */
  takeRefusals(): { name: string | null; heap: boolean } {
    const refusals = { name: this.lastRefusal, heap: this.heapRefused };
    this.lastRefusal = null;
    this.heapRefused = false;
    return refusals;
  }

  /** Replaces every imported function in place; imports that are not functions (globals, memory, tables) stay. */
  wrap(imports: Imports): void {
    for (const module of new Set(Object.values(imports))) {
      for (const [name, value] of Object.entries(module)) {
        if (typeof value === 'function') module[name] = this.wrapped(name, value as Import);
      }
    }
  }

  private wrapped(name: string, original: Import): Import {
    const wrapper = (this.special(name, original) ?? (OPEN.has(name) ? original : this.refusing(name, original))) as Import;
    if (wrapper === original) return original;
    for (const key of Object.getOwnPropertyNames(original)) {
      if (!['length', 'name', 'prototype', 'arguments', 'caller'].includes(key)) wrapper[key] = original[key];
    }
    return wrapper;
  }

  private refusing(name: string, original: Import): unknown {
    const refuse = (): number => {
      this.lastRefusal = name;
      const answer = REFUSAL[name] ?? (name.startsWith('__syscall_') ? -ENOSYS : undefined);
      if (answer === undefined) throw new RefusedImport(name);
      return answer;
    };
    const isClosed = (): boolean => this.closed;
    return function (this: unknown, ...args: unknown[]): unknown {
      return isClosed() ? refuse() : original.apply(this, args);
    };
  }

  /** Imports that stay open with less than they could do. Until the lock closes, entropy is fixed, so that every boot gives the same image. */
  private special(name: string, original: Import): unknown {
    switch (name) {
      case 'emscripten_resize_heap':
        this.grow = original;
        return (size: number): unknown => {
          if (size >>> 0 <= this.heapLimit) return original(size);
          this.heapRefused = true;
          return 0;
        };
      case '__syscall_openat':
        return (dir: number, path: number, flags: number, rest: number): unknown =>
          this.closed && flags & WRITING ? -EROFS : original(dir, path, flags, rest);
      case '__syscall_fcntl64':
      case '_try_fcntl64':
        return (fd: number, command: number, ...rest: unknown[]): unknown =>
          this.closed && (name.startsWith('_try') || !HARMLESS_FCNTL.has(command)) ? (name.startsWith('_try') ? 0 : -EINVAL) : original(fd, command, ...rest);
      case 'random_get':
        return (at: number, size: number): unknown => (this.closed ? original(at, size) : this.fixedEntropy(at >>> 0, size >>> 0));
      // Unmapping writes a mapping back into its file; a timer would call into Python from outside a call.
      case '_munmap_js':
      case '_setitimer_js':
        return (...args: unknown[]): unknown => (this.closed ? 0 : original(...args));
      default:
        return undefined;
    }
  }

  private fixedEntropy(at: number, size: number): number {
    const bytes = new Uint8Array(this.memory!.buffer, at, size);
    for (let i = 0; i < size; i++) {
      this.bootEntropy = (Math.imul(this.bootEntropy, 1664525) + 1013904223) >>> 0;
      bytes[i] = this.bootEntropy >>> 24;
    }
    return 0;
  }
}
