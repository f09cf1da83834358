/** Audit of 2,000 files, resumed after it was ended; a queue of 10,000 entries. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { checkFile } from '../../src/core/checks/checkFile';
import { readPython } from '../../src/core/environment/pythonDocument';
import { AuditJournal } from '../../src/core/review/audit/journal';
import { runAudit } from '../../src/core/review/audit/runAudit';
import { stampOf } from '../../src/core/review/audit/stamp';
import { summarise } from '../../src/core/review/audit/summary';
import { timedSandbox } from '../../src/core/review/audit/timedSandbox';
import { findPythonFiles } from '../../src/core/review/findFiles';
import { fingerprint } from '../../src/core/review/novelty';
import { ReviewQueue } from '../../src/core/review/reviewQueue';
import { DEFAULT_BOUNDS } from '../../src/core/sandboxBounds';
import { NodeFileStore } from '../../src/node/files/nodeFileStore';
import { createSandboxProvider } from '../../src/node/sandbox/provider';
import { ReviewTree } from '../../src/vscode/review/reviewTree';
import type { ReviewSession } from '../../src/vscode/review/session';
import { pythonParser } from '../helpers/pythonParser';
import { longestTask, report, summarise as times } from './measure';

/** What the view of the queue takes of the editor: rows are made as they are in it, and go nowhere. */
vi.mock('vscode', () => {
  class Plain {}
  return {
    EventEmitter: class { readonly event = () => ({ dispose: () => undefined }); fire(): void {} dispose(): void {} },
    ThemeIcon: Plain, ThemeColor: Plain, TreeItem: Plain, DataTransferItem: Plain, TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
    Uri: { file: (path: string) => ({ fsPath: path, path }) }, l10n: { t: (text: string) => text },
    window: { createTreeView: () => ({ selection: [], dispose: () => undefined }) }, workspace: { asRelativePath: ({ path }: { readonly path: string }) => path },
  };
});

const FILES = Number(process.env.ENVWRIGHT_AUDIT_FILES ?? 2_000);
const ENTRIES = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'envwright-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = new NodeFileStore();

/** A sound environment of its own: another rule for each number. */
const environment = (n: number): string => `import random


class Sum${n}Env:
    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.numbers = [rng.randint(${n % 13}, ${90 + n}) for _ in range(${3 + (n % 5)})]
        return f"Give the sum of {self.numbers} times ${2 + (n % 7)} in \\\\boxed{{}}.", {}

    def step(self, action):
        self.turns += 1
        won = action.strip() == "\\\\boxed{" + self.solution() + "}"
        return ("Right." if won else "No."), (1.0 if won else 0.0), won, (not won and self.turns >= self.max_turns), {}

    def solution(self):
        return str(sum(self.numbers) * ${2 + (n % 7)})
`;

it(`an audit of ${FILES} files is resumed after it was ended without repeating work`, { timeout: 3_600_000 }, async () => {
  const pool = join(folder, 'pool');
  mkdirSync(pool);
  for (let n = 0; n < FILES; n += 1) writeFileSync(join(pool, `sum_${String(n).padStart(4, '0')}_env.py`), environment(n));
  const parser = await pythonParser();
  const sandbox = createSandboxProvider({ ...DEFAULT_BOUNDS, choice: 'auto', pythonPath: null, assetsDir: join(import.meta.dirname, '../../dist'), logger: { info: () => undefined, warn: () => undefined, error: () => undefined } });
  const paths = await findPythonFiles(files, [pool]);
  const stamp = await stampOf({ staticOnly: false, severities: {}, sandbox: await sandbox.get() });
  let judged = 0;
  const audit = async (signal: AbortSignal, stopAt = Infinity, stop?: () => void) => runAudit({
    files, journal: await AuditJournal.open(files, join(folder, 'audit.jsonl')),
    print: (text) => fingerprint(readPython(parser, text).tree),
    judge: async (input, aborted) => {
      const timed = timedSandbox(sandbox);
      const made = await checkFile({ parser, sandbox: timed }, input, aborted);
      judged += 1;
      return { report: made, sandboxMs: timed.spentMs() };
    },
  }, {
    paths, stamp, decisions: { suppressions: [], profiles: [] }, profile: null, input: {}, atOnce: 4, onProgress: ({ done }) => { if (done >= stopAt) stop?.(); },
  }, signal);
  const stopper = new AbortController();
  await audit(stopper.signal, Math.floor(FILES / 2), () => stopper.abort()).catch(() => undefined);
  const first = judged;
  const result = await audit(new AbortController().signal);
  sandbox.dispose();
  expect(result.items).toHaveLength(FILES);
  expect(judged - first).toBe(result.judged);
  expect(result.judged + result.reused).toBe(FILES);
  expect(result.items.filter(({ report: made }) => made.verdict === 'cannot-run')).toEqual([]);
  process.stdout.write(`audit: ${first} judged before it was ended, ${result.reused} taken over, ${result.judged} judged after at ${((result.judged / result.wallMs) * 1000).toFixed(1)} files a second; `
    + `of the time of four files at once ${((result.sandboxMs / (result.wallMs * 4)) * 100).toFixed(0)} % was in the sandbox\n`);
  const started = performance.now();
  summarise(result);
  report(`summary of ${FILES} files, on the command line`, times([performance.now() - started]), 'none');
});

it(`a queue of ${ENTRIES} entries is read, ordered and gone through without a task over 50 ms`, { timeout: 600_000 }, async () => {
  const pool = join(folder, 'queue');
  mkdirSync(pool);
  for (let n = 0; n < ENTRIES; n += 1) writeFileSync(join(pool, `game_00000_${String(n).padStart(3, '0')}_optimization.py`), environment(n));
  const paths = await findPythonFiles(files, [pool]);
  const queue = new ReviewQueue(files, (file) => file, () => 'first');
  report('longest task while the files are read', times([await longestTask(() => queue.load(paths))]), 'under 50 ms');
  const tasks: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const item = queue.list()[turn];
    expect(item).toBeDefined();
    tasks.push(await longestTask(() => {
      queue.setVerdict(item!.contentHash, turn % 2 === 0 ? 'accept' : 'reject');
      expect(queue.list()).toHaveLength(ENTRIES);
      return Promise.resolve();
    }));
  }
  report('longest task of a verdict and the new order', times(tasks), 'under 50 ms');
  const session = {
    onDidChange: () => ({ dispose: () => undefined }), isOpen: true, decidedHere: 0, filter: {}, show: 'open', label: 'pool', progress: () => queue.progress([]), list: () => queue.list(), filesOf: (hash: string) => queue.filesOf(hash),
  } as unknown as ReviewSession;
  const { tree } = new ReviewTree(session) as unknown as { readonly tree: { getChildren(node?: unknown): Promise<{ readonly id: string; readonly children?: unknown }[]>; getTreeItem(node: unknown): unknown } };
  const pages: number[] = [];
  let [rows, more]: [number, unknown] = [0, undefined];
  // As the editor asks while one scrolls to the end: page after page, a row's look at a time.
  do {
    const from = more;
    more = undefined;
    pages.push(await longestTask(async () => {
      for (const node of await tree.getChildren(from)) {
        tree.getTreeItem(node);
        if (node.id.startsWith('review from')) more = node;
        else rows += 1;
      }
    }));
  } while (more !== undefined);
  expect(rows).toBe(ENTRIES);
  report(`longest task of a page while ${rows} rows are scrolled through`, times(pages), 'under 50 ms');
  const orders: number[] = [];
  for (const filter of [{}, { text: '9' }, { verdicts: [null] }, { skills: ['Optimization'] }, {}]) orders.push(await longestTask(() => Promise.resolve(queue.list(filter))));
  report('longest task of a filter', times(orders), 'under 50 ms');
});
