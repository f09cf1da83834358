import * as assert from 'node:assert';
import * as vscode from 'vscode';
import type { PlaySettings } from '../../../src/shared/webviewProtocol';
import type { FilePlayer } from '../../../src/vscode/play/filePlayer';
import { envwright, eventually, open, sample } from './api';

/** Wins with the seed; pays what `PAYS` says. */
const GUESS = (pays: string) => `class GuessEnv:
    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.turn = 0

    def reset(self, seed=None):
        self.turn = 0
        self.seed = seed or 0
        return "Say the number %d." % self.seed, {}

    def step(self, action):
        self.turn += 1
        if action == "\\\\boxed{%d}" % self.seed:
            return "Right.", ${pays}, True, False, {}
        return "Wrong.", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return str(self.seed)
`;

let made = 0;

/** A fresh environment file, open in the editor, with its player. */
async function guess(pays = '1.0'): Promise<{ uri: vscode.Uri; player: FilePlayer }> {
  const api = await envwright();
  const uri = sample(`environments/guess_${(made += 1)}_env.py`);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(GUESS(pays)));
  await open(uri);
  assert.ok(api.player);
  return { uri, player: api.player(uri) };
}

const settings = (over: Partial<PlaySettings> = {}): PlaySettings => ({
  policy: 'oracle', hint: null, seeds: '0-2', plays: 1, mode: 'paired', chance: 1, chanceHint: 1, ...over,
});

async function edit(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const change = new vscode.WorkspaceEdit();
  change.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(change));
  await document.save();
}

suite('plays that are kept', () => {
  test('after an edit the same actions are replayed without who chose them, and the outcomes that flipped are listed', async () => {
    const { uri, player } = await guess();
    await player.playToEnd(settings());
    await edit(uri, GUESS('1.0 if self.seed != 1 else 0.0'));
    await vscode.commands.executeCommand('envwright.replaySession', uri);
    await player.whenPlayed();
    const comparison = await eventually('the comparison', () => player.state().comparison ?? undefined);
    assert.strictEqual(comparison.isReplay, true);
    assert.deepStrictEqual(comparison.changes.map(({ seed, kind, step }) => [seed, kind, step]), [[1, 'flipped', 1]]);
    const pair = player.pair({ hint: comparison.changes[0]!.slot, noHint: comparison.changes[0]!.slot }, { arm: 'noHint', other: true });
    assert.deepStrictEqual([pair.hint?.return, pair.noHint?.return], [1, 0]);
  });

  test('a person plays, and takes over an episode at a step', async () => {
    const { player } = await guess();
    const playing = player.playToEnd(settings({ policy: 'human', seeds: '4' }));
    await eventually('the first turn', () => player.state().human?.step === 1);
    await player.humanMove({ kind: 'reply', text: '\\boxed{9}' });
    await eventually('the second turn', () => player.state().human?.step === 2);
    await player.humanMove({ kind: 'reply', text: '\\boxed{9}' });
    await eventually('the third turn', () => player.state().human?.step === 3);
    await player.humanMove({ kind: 'end' });
    const lost = await playing;
    assert.deepStrictEqual(lost.arms.noHint.episodes.map(({ status, return: value, steps }) => [status, value, steps.length]), [['turn-limit', 0, 2]]);

    await player.takeOver({ arm: 'noHint', slot: 0, step: 2 });
    const turn = await eventually('the turn after the take-over', () => player.state().human ?? undefined);
    assert.strictEqual(turn.step, 2);
    await player.humanMove({ kind: 'reply', text: '\\boxed{4}' });
    const won = await player.whenPlayed();
    const [episode] = won.arms.noHint.episodes;
    assert.deepStrictEqual([episode?.status, episode?.return, episode?.steps.map(({ reply }) => reply)], ['terminated', 1, ['\\boxed{9}', '\\boxed{4}']]);
  });

  test('a session that was cut short in mid-play comes back from its record, and its missing plays can be made', async () => {
    const { uri, player } = await guess();
    const playing = player.playToEnd(settings({ policy: 'human', seeds: '0-1' }));
    await eventually('the first turn', () => player.state().human?.slot === 0);
    await player.humanMove({ kind: 'reply', text: '\\boxed{0}' });
    await eventually('the turn of the second seed', () => player.state().human?.slot === 1);
    // The window closes: what has ended is on the disk, what runs is lost.
    const id = player.state().sessionId;
    assert.ok(id);
    player.stop(null);
    await playing;

    // Another window has its own players: this one's is not asked, so the record is that of a file whose player is new.
    const plays = sample('.envwright/plays');
    const { uri: fresh } = await guess();
    const name = (of: vscode.Uri) => vscode.workspace.asRelativePath(of, false);
    const record = new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(plays, `${id}.jsonl`)));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(plays, 'reloaded.jsonl'), new TextEncoder().encode(record.replace(id, 'reloaded').replace(name(uri), name(fresh))));
    const api = await envwright();
    const panel = vscode.window.createWebviewPanel('envwright.player', 'Play', vscode.ViewColumn.Active);
    await api.restorePlayer?.(panel, { uri: fresh.toString(), session: 'reloaded' });
    const again = api.player?.(fresh);
    assert.ok(again);
    assert.deepStrictEqual(again.state().slots.map(({ noHint }) => noHint?.status), ['terminated', 'cancelled']);
    assert.strictEqual(again.state().missing, 1);
    await again.resume();
    await eventually('the turn of the missing play', () => again.state().human?.slot === 1);
    await again.humanMove({ kind: 'reply', text: '\\boxed{1}' });
    const report = await again.whenPlayed();
    panel.dispose();
    assert.deepStrictEqual(report.arms.noHint.episodes.map(({ seed, return: value }) => [seed, value]), [[0, 1], [1, 1]]);
  });

  test('further pairs keep what was played', async () => {
    const { player } = await guess();
    await player.playToEnd(settings({ seeds: '0-1', hint: 'Say the number.' }));
    await player.extend(3);
    const report = await player.whenPlayed();
    assert.strictEqual(report.paired?.pairs, 5);
  });

  test('the lines that a step ran are marked in the editor until they are cleared or the file is edited', async () => {
    const { uri, player } = await guess();
    const api = await envwright();
    await player.playToEnd(settings({ seeds: '2' }));
    const { lines, state } = await player.inspect({ arm: 'noHint', slot: 0, step: 1 });
    assert.ok(lines && state);
    await player.open('lines', null);
    const marked = api.marked?.(uri);
    assert.strictEqual(marked?.paid, lines.code.find(({ paid }) => paid)?.line);
    assert.ok((marked?.ran.length ?? 0) > 2);
    await vscode.commands.executeCommand('envwright.clearLines');
    assert.strictEqual(api.marked?.(uri), undefined);
    await player.open('lines', null);
    assert.strictEqual(api.marked?.(uri)?.paid, marked?.paid);
    await edit(uri, GUESS('0.5'));
    assert.strictEqual(api.marked?.(uri), undefined);
  });

  test('debugging leaves the sandbox only after a clear yes, replays the recorded actions and stops in the environment', async function () {
    this.timeout(120_000);
    const { uri, player } = await guess();
    const api = await envwright();
    await player.playScript(2, [{ reply: '\\boxed{9}' }, { reply: '\\boxed{2}' }]);
    const step = { arm: 'noHint', slot: 0, step: 2 } as const;
    const asked: string[] = [];
    const refusing = api.answer?.({ confirm: ({ message, detail }) => (asked.push(`${message} ${detail}`), Promise.resolve(false)) });
    await player.debug(step);
    refusing?.dispose();
    assert.match(asked.join(), /outside the sandbox.*your rights/);
    assert.strictEqual(vscode.debug.activeDebugSession, undefined);

    const stops: { threadId: number }[] = [];
    let ended = false;
    const line = GUESS('1.0').split('\n').findIndex((text) => text.includes('self.turn += 1'));
    const breakpoint = new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(line, 0)));
    const owned = [
      api.answer?.({ confirm: () => Promise.resolve(true) }),
      vscode.debug.registerDebugAdapterTrackerFactory('debugpy', {
        createDebugAdapterTracker: () => ({ onDidSendMessage: (sent: { event?: string; body: { threadId: number } }) => sent.event === 'stopped' && stops.push(sent.body) }),
      }),
      vscode.debug.onDidTerminateDebugSession(() => (ended = true)),
    ];
    vscode.debug.addBreakpoints([breakpoint]);
    interface Stack { stackFrames: { id: number; name: string; line: number; source?: { path?: string } }[] }
    /** Where the debugger stands at its stop of this number, and what an expression is there. */
    const at = async (stop: number, expression: string) => {
      const { threadId } = await eventually(`stop ${stop} of the debugger`, () => stops[stop - 1], 60_000);
      const session = vscode.debug.activeDebugSession;
      assert.ok(session);
      const { stackFrames } = (await session.customRequest('stackTrace', { threadId, startFrame: 0, levels: 2 })) as Stack;
      const [frame] = stackFrames;
      const { result } = (await session.customRequest('evaluate', { expression, frameId: frame?.id, context: 'watch' })) as { result: string };
      return { name: frame?.name, line: frame?.line, file: frame?.source?.path?.slice(-uri.path.length), result, goOn: () => session.customRequest('continue', { threadId }) };
    };
    try {
      await player.debug(step);
      const first = await at(1, '[action, self.turn, self.seed]');
      assert.deepStrictEqual([first.file, first.line, first.result], [uri.path, line + 1, "['\\\\boxed{9}', 0, 2]"]);
      await first.goOn();
      const chosen = await at(2, 'number');
      assert.deepStrictEqual([chosen.name, chosen.result], ['main', '2']);
      await chosen.goOn();
      const second = await at(3, '[action, self.turn]');
      assert.deepStrictEqual([second.file, second.line, second.result], [uri.path, line + 1, "['\\\\boxed{2}', 1]"]);
      await second.goOn();
      await eventually('the debugged program ends', () => ended, 60_000);
    } finally {
      await vscode.debug.stopDebugging();
      vscode.debug.removeBreakpoints([breakpoint]);
      for (const one of owned) one?.dispose();
    }
  });

  test('earlier sessions are compared and opened, and their actions played, from the palette', async () => {
    const { uri, player } = await guess();
    const api = await envwright();
    const asked: string[] = [];
    const notices: string[] = [];
    /** What the person takes from the next list: the first choice whose words hold this, nothing without one. */
    let wanted: string | null = null;
    let file: vscode.Uri | undefined;
    const answering = api.answer?.({
      pick: ({ title, choices }) => {
        asked.push(title);
        const taken = choices.find((choice) => wanted !== null && 'value' in choice && `${choice.label} ${choice.description ?? ''}`.includes(wanted));
        return Promise.resolve(taken && 'value' in taken ? taken.value : undefined);
      },
      chooseFile: () => Promise.resolve(file),
      notice: ({ message }) => {
        notices.push(message);
        return Promise.resolve(undefined);
      },
    });
    /** Runs a command as the palette does: without saying which file, the one in front is meant. */
    const run = (command: string, take: string | null) => {
      wanted = take;
      return vscode.commands.executeCommand(`envwright.${command}`);
    };
    try {
      await run('compareSessions', '');
      assert.match(notices.pop() ?? '', /Nothing is on screen/);
      await run('openSession', '');
      assert.match(notices.pop() ?? '', /no other saved session/);

      await player.playToEnd(settings({ policy: 'noop', seeds: '0-1' }));
      const lost = player.state().sessionId;
      await player.playToEnd(settings({ seeds: '0-1' }));
      const won = player.state().sessionId;
      await run('compareSessions', null);
      assert.strictEqual(player.state().comparison, null);
      await run('compareSessions', 'no hint 0.00 (n 2)');
      const comparison = player.state().comparison;
      assert.deepStrictEqual([comparison?.isReplay, comparison?.changes.map(({ seed }) => seed)], [false, [0, 1]]);

      await run('openSession', 'no hint 0.00 (n 2)');
      assert.deepStrictEqual([player.state().sessionId, player.state().comparison], [lost, null]);
      await run('openSession', 'no hint 1.00 (n 2)');
      assert.strictEqual(player.state().sessionId, won);

      await run('chooseScript', 'Seed 1, no hint');
      assert.strictEqual(player.state().settings.policy, 'script');
      const fromSession = await player.playToEnd({ ...player.state().settings, seeds: '0-1' });
      assert.deepStrictEqual(fromSession.arms.noHint.episodes.map((episode) => episode.return), [0, 1]);

      file = sample('actions.json');
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('["no answer", "\\\\boxed{0}"]'));
      await run('chooseScript', 'From a file');
      const fromFile = await player.playToEnd({ ...player.state().settings, seeds: '0-1' });
      assert.deepStrictEqual(fromFile.arms.noHint.episodes.map((episode) => [episode.return, episode.steps.length]), [[1, 2], [0, 2]]);
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('{"no": "list"}'));
      await run('chooseScript', 'From a file');
      assert.match(notices.pop() ?? '', /holds no actions.*JSON array/s);
      assert.deepStrictEqual([...new Set(asked)], ['Compare with an earlier session', 'Open a saved session', 'Actions to play']);
      assert.deepStrictEqual([notices, player.uri.path], [[], uri.path]);
    } finally {
      answering?.dispose();
    }
  });

  test('a session is exported as a report, and deleted only after a yes', async () => {
    const { uri, player } = await guess();
    const api = await envwright();
    await player.playToEnd(settings({ seeds: '0' }));
    const file = sample('report.html');
    const answering = api.answer?.({
      pick: ({ choices }) => Promise.resolve(choices.flatMap((choice) => ('value' in choice && choice.label.startsWith('Report') ? [choice.value] : []))[0]),
      saveFile: () => Promise.resolve(file), notice: () => Promise.resolve(undefined), confirm: () => Promise.resolve(true),
    });
    await vscode.commands.executeCommand('envwright.exportSession', uri);
    assert.match(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)), /Content-Security-Policy/);
    const sessionId = player.state().sessionId;
    await vscode.commands.executeCommand('envwright.deleteSession', { file: uri, sessionId });
    answering?.dispose();
    assert.strictEqual(player.state().sessionId, null);
    await assert.rejects(player.openSession('gone'));
  });
});
