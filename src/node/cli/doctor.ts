import type { HealthLine } from '../../core/ports';
import type { DoctorDocument } from '../../shared/cliDocuments';
import { Args } from './args';
import { EXIT, type Command } from './context';
import { endpointOf, MODEL_OPTIONS } from './modelArgs';
import { Output } from './output';
import { terminalSafe } from './terminal';
import { SANDBOX_OPTIONS, SANDBOX_USAGE, sandboxOf } from './sandboxArgs';

type Check = DoctorDocument['checks'][number];

/** What is no fault and still asks something of the user, such as a package that is missing, is a note: "ok" beside an advice reads as a contradiction. */
function word({ ok, next }: Check): string {
  if (!ok) return 'FAIL';
  return next === null ? 'ok  ' : 'note';
}

function text({ checks }: DoctorDocument): string {
  return checks.map((check) => `${word(check)} ${check.name}: ${check.detail}${check.next === null ? '' : `\n     ${check.next}`}`).join('\n');
}

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'what works here and what does not: interpreter, sandbox, endpoint',
  usage: `doctor ${SANDBOX_USAGE} [--install-wheels] [--endpoint URL --model NAME --model-timeout SECONDS]`,
  async run(argv, context) {
    const args = Args.parse(argv, { 'install-wheels': { type: 'boolean' }, ...SANDBOX_OPTIONS, ...MODEL_OPTIONS }, context.cwd);
    const endpoint = endpointOf(args, context);
    if (args.flag('install-wheels')) await context.installWheels(args.path('python'), (line) => context.stderr(`${terminalSafe(line)}\n`));
    const sandbox = await sandboxOf(args, context);
    try {
      const server: readonly HealthLine[] = endpoint ? await context.testEndpoint(endpoint) : [];
      const lines: readonly HealthLine[] = [...(await context.interpreter(args.path('python'))), ...(await sandbox.health()), ...server];
      const document: DoctorDocument = { checks: lines.map(({ name, ok, detail, next }) => ({ name, ok, detail, next })) };
      new Output(context, args).answer(document, () => text(document));
      // One sandbox that works is enough, and the embedded one needs no interpreter; a server that was named must work.
      const usable = await sandbox.get(context.signal).then(() => true, () => false);
      return usable && server.every(({ ok }) => ok) ? EXIT.fine : EXIT.notDone;
    } finally {
      sandbox.dispose();
    }
  },
};
