import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../files/replaceFile';
import { Child, ChildDied, type Launch } from './child';
import type { BootOrder } from './envelope';

/** Where the parts of the embedded Python lie. Absolute folders. */
export interface PyodideFolders {
  /** The `pyodide` package. */
  readonly pyodide: string;
  /** The folder that holds `envwright_host`. */
  readonly python: string;
  /** Where snapshots are kept between starts. */
  readonly cache: string;
}

/** One kind of machine: its hash seed, the wheels it has, and whether math-verify is imported beforehand. */
export interface ImageKind {
  readonly hashSeed: number;
  readonly wheels: readonly string[];
  readonly mathPreloaded: boolean;
}

const Sidecar = z.object({ sha256: z.string(), bytes: z.int() });

/** Raise when snapshots of an earlier version must not be used any more, for a reason that the hashed files do not show. */
const FORMAT = 1;
/** Snapshots kept; the ones used least recently go first. Each takes 30 MB and more. */
const MAX_SNAPSHOTS = 8;
/** Modules of the host's own code in Python's file system. */
const HOST_FOLDER = '/envwright';
const IMPORT_ATTACKS = `import sys\nsys.path.insert(0, ${JSON.stringify(HOST_FOLDER)})\nimport envwright_host.attacks\nsys.path.remove(${JSON.stringify(HOST_FOLDER)})`;
const WHEEL_FOLDER = '/wheels';

/** Memory snapshots of booted machines, made once and kept by everything they depend on. */
export class ImageStore {
  private readonly making = new Map<string, Promise<BootOrder>>();
  private sources: Promise<{ files: Record<string, string>; digest: string }> | null = null;

  constructor(private readonly folders: PyodideFolders, private readonly launch: Launch) {}

  /**
   * Boots a child; a snapshot that is damaged, or that no machine comes up from, is made anew once. With `attacks` the child has
   * those of the self-test at hand, and the foreign function library that they use.
   */
  async start(kind: ImageKind, { attacks = false } = {}): Promise<{ child: Child; image: string; heapBytes: number }> {
    const beforeLock = attacks ? IMPORT_ATTACKS : '';
    const order = await this.order(kind);
    const first = new Child(this.launch);
    try {
      return { child: first, ...(await first.boot({ ...order, beforeLock })) };
    } catch (error) {
      first.kill();
      if (!(error instanceof ChildDied) || error.why === 'start' || error.why === 'killed') throw error;
      await fs.rm(order.snapshot!.path, { force: true });
    }
    const second = new Child(this.launch);
    try {
      return { child: second, ...(await second.boot({ ...(await this.order(kind)), beforeLock })) };
    } catch (error) {
      second.kill();
      throw error;
    }
  }

  /** Makes the snapshot of a kind ahead of need; a failure shows when it is needed. */
  async prepare(kind: ImageKind): Promise<void> {
    await this.order(kind).catch(() => undefined);
  }

  /** How a child of that kind boots, with a snapshot that exists; made by a child of its own where there is none. */
  private order(kind: ImageKind): Promise<BootOrder> {
    const key = JSON.stringify(kind);
    const order = this.making.get(key) ?? this.find(kind).finally(() => this.making.delete(key));
    this.making.set(key, order);
    return order;
  }

  private async find(kind: ImageKind): Promise<BootOrder> {
    const { files, digest } = await this.host();
    const wheels = Object.fromEntries(kind.wheels.map((wheel) => [`${WHEEL_FOLDER}/${path.basename(wheel)}`, wheel]));
    const order = { pyodide: this.folders.pyodide, hashSeed: kind.hashSeed, files: { ...files, ...wheels }, prepare: prepareCode(kind), beforeLock: '' };
    const key = createHash('sha256').update(JSON.stringify([FORMAT, digest, { ...kind, wheels: Object.keys(wheels) }, order.prepare])).digest('hex').slice(0, 32);
    const image = path.join(this.folders.cache, `python-${key}.snapshot`);
    const kept = await this.kept(image);
    return { ...order, snapshot: { path: image, sha256: kept ?? (await this.make(image, { ...order, snapshot: null })) } };
  }

  /** The digest that a kept snapshot must have, null when there is none. */
  private async kept(image: string): Promise<string | null> {
    try {
      const { sha256, bytes } = Sidecar.parse(JSON.parse(await fs.readFile(`${image}.json`, 'utf8')));
      if ((await fs.stat(image)).size !== bytes) return null;
      const now = new Date();
      await fs.utimes(image, now, now);
      return sha256;
    } catch {
      return null;
    }
  }

  private async make(image: string, order: BootOrder): Promise<string> {
    const child = new Child(this.launch);
    try {
      const snapshot = await child.snapshot(order);
      const sha256 = createHash('sha256').update(snapshot).digest('hex');
      await fs.mkdir(this.folders.cache, { recursive: true });
      await replaceFile(image, snapshot, false);
      await replaceFile(`${image}.json`, JSON.stringify({ sha256, bytes: snapshot.length }), false);
      await this.prune();
      return sha256;
    } finally {
      child.kill();
    }
  }

  private async prune(): Promise<void> {
    const names = (await fs.readdir(this.folders.cache)).filter((name) => name.endsWith('.snapshot'));
    const dated = await Promise.all(names.map(async (name) => ({ name, used: (await fs.stat(path.join(this.folders.cache, name))).mtimeMs })));
    for (const { name } of dated.sort((a, b) => b.used - a.used).slice(MAX_SNAPSHOTS)) {
      await fs.rm(path.join(this.folders.cache, name), { force: true });
      await fs.rm(path.join(this.folders.cache, `${name}.json`), { force: true });
    }
  }

  /** The host's Python sources by their place inside, and a digest of all that a snapshot depends on. */
  private host(): Promise<{ files: Record<string, string>; digest: string }> {
    this.sources ??= this.readHost();
    return this.sources;
  }

  private async readHost(): Promise<{ files: Record<string, string>; digest: string }> {
    const folder = path.join(this.folders.python, 'envwright_host');
    const names = (await fs.readdir(folder, { recursive: true })).filter((name) => name.endsWith('.py') && !name.startsWith('native')).map((name) => name.split(path.sep).join('/')).sort();
    const hash = createHash('sha256');
    for (const file of [...names.map((name) => path.join(folder, name)), ...['pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide.asm.mjs'].map((name) => path.join(this.folders.pyodide, name))]) {
      hash.update(path.basename(file)).update(await fs.readFile(file));
    }
    return { files: Object.fromEntries(names.map((name) => [`${HOST_FOLDER}/envwright_host/${name}`, path.join(folder, name)])), digest: hash.digest('hex') };
  }
}

/** Python that is run before the snapshot. Wheels stay importable; the host's own folder does not. */
function prepareCode({ wheels, mathPreloaded }: ImageKind): string {
  const paths = wheels.map((wheel) => `${WHEEL_FOLDER}/${path.basename(wheel)}`);
  return [
    'import sys',
    `sys.path[:] = ${JSON.stringify([HOST_FOLDER])} + sys.path + ${JSON.stringify(paths)}`,
    'import envwright_host.embedded as host',
    `host.prepare(${mathPreloaded ? '["math_verify"]' : '[]'})`,
    `sys.path.remove(${JSON.stringify(HOST_FOLDER)})`,
    'del host, sys',
  ].join('\n');
}
