import path from 'node:path';
import { projectRoot } from './paths';
import { run } from './process';

/** One step of the main job: what it shows, and the arguments of the command line. Exit codes other than `expected` stop the job. */
interface JobStep {
  readonly title: string;
  readonly args: readonly string[];
  readonly expected: number;
}

/**
 * Runs the main job on the command line with the embedded defaults: design from the offline samples, check, play both
 * arms with the simulated learner, push into the sample run's memory, show it. Needs no key and no server.
 */
export async function runHeadless(workspace: string): Promise<number> {
  const environment = (name: string) => path.join(workspace, 'environments', name);
  const drafts = path.join(workspace, 'drafts');
  const runFolder = path.join(workspace, 'run');
  const sample = environment('clock_angle_env.py');
  const steps: readonly JobStep[] = [
    { title: 'What works on this machine', args: ['doctor'], expected: 0 },
    {
      title: 'Design: the offline samples stream a draft, which is checked',
      args: ['design', '--skill', 'Mathematical Reasoning', '--kind', 'single-turn', '--difficulty', 'easy', '--seed', '1', '--out', drafts],
      expected: 0,
    },
    { title: 'Check: a sound file', args: ['check', sample], expected: 0 },
    { title: 'Check: a faulty file', args: ['check', environment('faulty_mood_ring_env.py')], expected: 1 },
    {
      title: 'Play: the simulated learner, with the hint and without, on the same seeds',
      args: ['play', sample, '--policy', 'simulated', '--seeds', '0-15', '--chance', '0.35', '--chance-hint', '0.8',
        '--hint', 'Work out where each hand points in degrees, take the difference, and give the smaller angle.'],
      expected: 0,
    },
    {
      title: 'Push: what the record would be, then into the memory of the stopped sample run',
      args: ['memory', 'preview', '--run', runFolder, '--file', sample, '--skill', 'Mathematical Reasoning', '--win-rate', '0.375', '--regret', '0.4375'],
      expected: 0,
    },
    {
      title: 'Pushed past the warning that the plays were simulated',
      args: ['memory', 'push', '--run', runFolder, '--file', sample, '--skill', 'Mathematical Reasoning', '--win-rate', '0.375', '--regret', '0.4375',
        '--metadata', '{"simulated": true, "plays": 32}', '--force'],
      expected: 0,
    },
    { title: 'The memory that the run will read', args: ['memory', 'show', '--run', runFolder], expected: 0 },
  ];
  for (const { title, args, expected } of steps) {
    console.log(`\n# ${title}\n$ envwright ${args.map((arg) => (/^[\w./-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}\n`);
    const code = await run(process.execPath, [path.join(projectRoot, 'dist', 'cli.js'), ...args]);
    if (code !== expected) {
      console.error(`\nThis step ended with exit code ${code}, not ${expected}.`);
      return code || 1;
    }
  }
  console.log('\nThe main job is done: designed, checked, played, pushed.');
  return 0;
}
