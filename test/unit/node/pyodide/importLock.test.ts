import { describe, expect, it, vi } from 'vitest';
import { ImportLock, RefusedImport } from '../../../../src/node/sandbox/pyodide/importLock';

/** Imports of an imaginary module, wrapped; `called` tells which originals ran. */
function wrapped(names: readonly string[], answer = 7): { lock: ImportLock; call: (name: string, ...args: unknown[]) => unknown; called: string[] } {
  const called: string[] = [];
  const env = Object.fromEntries(names.map((name) => [name, (..._args: unknown[]) => (called.push(name), answer)]));
  const lock = new ImportLock(1000);
  lock.wrap({ env });
  return { lock, called, call: (name, ...args) => env[name]!(...args) };
}

describe('the import lock', () => {
  it('lets everything pass until it is closed', () => {
    const { call, called } = wrapped(['_emscripten_system', 'JsProxy_GetAttr_js', '__syscall_socket']);
    expect(['_emscripten_system', 'JsProxy_GetAttr_js', '__syscall_socket'].map((name) => call(name))).toEqual([7, 7, 7]);
    expect(called).toHaveLength(3);
  });

  it.each([['_emscripten_system', -1], ['_dlopen_js', 0], ['getaddrinfo', -4], ['__syscall_socket', -52], ['__syscall_unlinkat', -52], ['a_syscall_nobody_knows', null]])(
    'refuses %s once closed', (name, answer) => {
      const { lock, call, called } = wrapped([name]);
      lock.close();
      if (answer === null) expect(() => call(name)).toThrow(RefusedImport);
      else expect(call(name)).toBe(answer);
      expect(called).toEqual([]);
      expect(lock.takeRefusals().name).toBe(name);
      expect(lock.takeRefusals().name).toBeNull();
    },
  );

  it.each(['JsProxy_GetAttr_js', 'JsvFunction_CallBound', 'raw_call_js', 'ffi_call_js', 'emscripten_asm_const_int'])('throws what Python cannot catch for %s', (name) => {
    const { lock, call, called } = wrapped([name]);
    lock.close();
    expect(() => call(name)).toThrow(RefusedImport);
    expect(called).toEqual([]);
  });

  it.each([[0, true], [1, false], [2, false], [0o100, false], [0o1000, false], [0o2000, false], [0o100000, true]])('opens files with flags %i only for reading', (flags, opens) => {
    const { lock, call } = wrapped(['__syscall_openat']);
    lock.close();
    expect(call('__syscall_openat', -100, 0, flags, 0)).toBe(opens ? 7 : -69);
  });

  it('answers questions about descriptors and never changes their flags', () => {
    const { lock, call, called } = wrapped(['__syscall_fcntl64']);
    lock.close();
    expect([0, 1, 2, 3, 1030].map((command) => call('__syscall_fcntl64', 3, command, 0))).toEqual([7, 7, 7, 7, 7]);
    called.length = 0;
    expect([4, 8, 1024, 12].map((command) => call('__syscall_fcntl64', 3, command, 2))).toEqual([-28, -28, -28, -28]);
    expect(called).toEqual([]);
  });

  it('unmaps without writing back and sets no timer', () => {
    const { lock, call, called } = wrapped(['_munmap_js', '_setitimer_js']);
    lock.close();
    expect([call('_munmap_js', 0, 1, 3, 0, 3, 0n), call('_setitimer_js', 0, 5)]).toEqual([0, 0]);
    expect(called).toEqual([]);
  });

  it('grows the heap up to the limit and remembers that it refused more', () => {
    const { lock, call } = wrapped(['emscripten_resize_heap']);
    lock.heapLimit = 500;
    expect(call('emscripten_resize_heap', 500)).toBe(7);
    expect(lock.takeRefusals().heap).toBe(false);
    expect(call('emscripten_resize_heap', 501)).toBe(0);
    expect(call('emscripten_resize_heap', -1)).toBe(0);
    expect(lock.takeRefusals().heap).toBe(true);
  });

  it('gives fixed entropy before it closes, and the real one after', () => {
    const memory = { buffer: new ArrayBuffer(64), grow: vi.fn() };
    const draw = (): Uint8Array => {
      const env: Record<string, (...args: number[]) => unknown> = { random_get: () => 28 };
      const lock = new ImportLock(1000);
      lock.wrap({ env });
      lock.attach(memory);
      expect(env['random_get']!(8, 16)).toBe(0);
      lock.close();
      expect(env['random_get']!(8, 16)).toBe(28);
      return new Uint8Array(memory.buffer.slice(8, 24));
    };
    const first = draw();
    expect(draw()).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(4);
    expect(new Uint8Array(memory.buffer, 0, 8)).toEqual(new Uint8Array(8));
  });
});
