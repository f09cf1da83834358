/** Every setting, declared once: the manifest's schema is generated from it, and what the editor holds is parsed with it. */
import { z } from 'zod';
import { Severity } from './findings';
import { Provider, RoleProfiles } from './modelProfile';
import { PolicyId } from './webviewProtocol';

/** Titles of the groups in the settings editor, in their order. */
export const settingGroups = {
  model: 'Model',
  design: 'Design',
  check: 'Checks',
  play: 'Play',
  sandbox: 'Sandbox',
  run: 'Run',
  review: 'Review',
} as const;
export type SettingGroup = keyof typeof settingGroups;

/**
 * A setting. `restricted` ones say what runs, where keys go or what is written: an untrusted workspace cannot set them.
 */
export interface SettingDeclaration<S extends z.ZodType = z.ZodType> {
  readonly group: SettingGroup;
  readonly schema: S;
  readonly default: z.infer<S>;
  /** Markdown. */
  readonly description: string;
  readonly enumDescriptions?: readonly string[];
  readonly restricted?: true;
}

function setting<S extends z.ZodType>(declaration: SettingDeclaration<S>): SettingDeclaration<S> {
  return declaration;
}

/** What can play an environment without a person or a script. */
export const DefaultPolicy = PolicyId.extract(['simulated', 'model', 'oracle', 'random', 'noop']);

const optionalNumber = (schema: z.ZodNumber) => z.union([schema, z.null()]);

export const settings = {
  'model.provider': setting({
    group: 'model',
    schema: Provider,
    default: 'offline-samples',
    description: 'Who writes designs and hints. *Offline samples* needs no key and no server; it is not a model, and says so everywhere.',
    enumDescriptions: [
      'Offline samples: streams samples that come with the extension. Not a model.',
      'Any server that speaks the OpenAI chat protocol: vLLM, SGLang, Ollama, llama.cpp, OpenRouter.',
      'A language model of the editor, from an extension that offers one; the editor asks for your consent at the first use.',
    ],
    restricted: true,
  }),
  'model.endpoint': setting({
    group: 'model',
    schema: z.string(),
    default: '',
    description: 'Address of the server, for example `http://localhost:8000/v1`. Its API key is kept in the secret store, bound to this origin.',
    restricted: true,
  }),
  'model.name': setting({
    group: 'model',
    schema: z.string(),
    default: '',
    description: 'Name of the model as the server knows it; for a language model of the editor its id, or `vendor/family`.',
    restricted: true,
  }),
  'model.temperature': setting({ group: 'model', schema: z.number().min(0).max(2), default: 0.6, description: 'Sampling temperature of designs and plays. Hints use 0.3, as in the run.' }),
  'model.topP': setting({ group: 'model', schema: optionalNumber(z.number().min(0).max(1)), default: 0.95, description: 'Nucleus sampling; `null` leaves it to the server.' }),
  'model.topK': setting({ group: 'model', schema: optionalNumber(z.int().min(1)), default: null, description: 'Top-k sampling, where the server knows it (the run uses 20); `null` leaves it to the server.' }),
  'model.minP': setting({ group: 'model', schema: optionalNumber(z.number().min(0).max(1)), default: null, description: 'Min-p sampling, where the server knows it; `null` leaves it to the server.' }),
  'model.maxTokens': setting({ group: 'model', schema: z.int().min(1), default: 8192, description: 'Longest reply in tokens. A reply cut at this limit ends an episode as truncated, as in the run.' }),
  'model.thinking': setting({ group: 'model', schema: z.boolean(), default: false, description: 'Let the model think before it answers, where its template knows the switch.' }),
  'model.extraBody': setting({ group: 'model', schema: z.record(z.string(), z.unknown()), default: {}, description: 'Fields put into every request as they are, over all others, for example `{"repetition_penalty": 1.05}`.', restricted: true }),
  'model.profiles': setting({
    group: 'model',
    schema: RoleProfiles,
    default: {},
    description: 'What a role does otherwise than the settings above say: `designer`, `agent`, `hint` and `screen`, each with any of `provider`, `endpoint`, `model`, `temperature`, `topP`, `topK`, `minP`, `maxTokens`, `thinking`, `extraBody`. *Fill Model Profiles from Run* reads them from the launch flags of the linked run.',
    restricted: true,
  }),
  'model.timeout': setting({ group: 'model', schema: z.int().min(1).max(86_400), default: 120, description: 'Longest silence of a server in seconds, before a reply and within it; then the call has failed. A slow machine can need minutes to read a long prompt.' }),
  'model.budget': setting({ group: 'model', schema: z.int().min(0), default: 0, description: 'Tokens that this window may use before it stops and asks; 0 for no budget. Calls that the server does not count are estimated.' }),

  'design.repairs': setting({ group: 'design', schema: z.int().min(0).max(10), default: 2, description: 'How often a rejected draft goes back to the designer with what the checks found.' }),
  'design.concurrency': setting({ group: 'design', schema: z.int().min(1).max(32), default: 4, description: 'Drafts of a batch made at the same time.' }),
  'design.hintCandidates': setting({ group: 'design', schema: z.int().min(1).max(8), default: 3, description: 'Hints written to be compared by what they are worth.' }),

  'check.whileTyping': setting({ group: 'check', schema: z.boolean(), default: true, description: 'Check the syntax tree of an environment while typing.' }),
  'check.delay': setting({ group: 'check', schema: z.int().min(0).max(5000), default: 150, description: 'Pause in typing before the static checks run, in milliseconds.' }),
  'check.probeOnSave': setting({ group: 'check', schema: z.boolean(), default: true, description: 'Run an environment in the sandbox when it is opened or saved, to find what the syntax tree cannot tell.' }),

  'check.severities': setting({
    group: 'check',
    schema: z.record(z.string(), Severity),
    default: {},
    description: 'Severities of checks by id, for example `{"guessable": "info"}`. A file with an error that is made less is never accepted without a warning.',
    restricted: true,
  }),

  'play.policy': setting({
    group: 'play',
    schema: DefaultPolicy,
    default: 'simulated',
    description: 'What plays an environment at first; the player can change it.',
    enumDescriptions: [
      'A simulated learner with a settable chance of success. Not a model.',
      'The model of the settings above.',
      "The environment's own `solution()`.",
      'Random actions.',
      'Always the empty action.',
    ],
  }),
  'play.plays': setting({ group: 'play', schema: z.int().min(1).max(256), default: 4, description: 'Plays an arm: that many seeds, each with the hint and without.' }),
  'play.maxTurns': setting({ group: 'play', schema: z.int().min(1).max(1000), default: 25, description: 'Replies the agent may give in one episode, whatever the environment allows.' }),
  'play.concurrency': setting({ group: 'play', schema: z.int().min(1).max(64), default: 4, description: 'Episodes played at the same time.' }),
  'play.weights': setting({
    group: 'play',
    schema: z.union([
      z.object({ plateau: z.number().min(0), regret: z.number().min(0), regretScale: z.number().positive(), lo: z.number(), hi: z.number(), ramp: z.number().positive() }),
      z.null(),
    ]),
    default: null,
    description: 'Weights of the designer’s reward by hand, for example `{"plateau": 0.6, "regret": 0.4, "regretScale": 0.15, "lo": 0.4, "hi": 0.6, "ramp": 0.25}`; `null` takes those of the linked run, else those of the paper.',
  }),
  'play.simulatedChance': setting({ group: 'play', schema: z.number().min(0).max(1), default: 0.35, description: 'Chance that the simulated learner solves an instance without the hint.' }),
  'play.simulatedChanceWithHint': setting({ group: 'play', schema: z.number().min(0).max(1), default: 0.75, description: 'Chance that the simulated learner solves an instance with the hint.' }),

  'sandbox.backend': setting({
    group: 'sandbox',
    schema: z.enum(['auto', 'native', 'pyodide', 'seatbelt']),
    default: 'auto',
    description: 'What contains the environments. Nothing runs when the chosen backend fails its self-test.',
    enumDescriptions: ['The best backend that passes its self-test.', 'Processes of your Python under Landlock and seccomp (Linux).', 'Python compiled to WebAssembly, no Python needed.', 'Processes of your Python under Seatbelt (macOS).'],
    restricted: true,
  }),
  'sandbox.pythonPath': setting({ group: 'sandbox', schema: z.string(), default: '', description: 'Python interpreter that runs the environments; empty to look for one.', restricted: true }),
  'sandbox.callSeconds': setting({ group: 'sandbox', schema: z.number().min(0.1).max(600), default: 5, description: 'Longest time of one `reset` or `step`. The run allows 30 s.', restricted: true }),
  'sandbox.loadSeconds': setting({ group: 'sandbox', schema: z.number().min(0.1).max(600), default: 30, description: 'Longest time to load a file and build its class.', restricted: true }),
  'sandbox.importSeconds': setting({ group: 'sandbox', schema: z.number().min(0.1).max(3600), default: 15, description: 'Longest time that the imports of a file may take together while it is checked. A check that needs more is not made.', restricted: true }),
  'sandbox.cpuSeconds': setting({ group: 'sandbox', schema: z.int().min(1).max(3600), default: 120, description: 'Processor time of one session.', restricted: true }),
  'sandbox.memoryMegabytes': setting({ group: 'sandbox', schema: z.int().min(64).max(65536), default: 1024, description: 'Memory of one session.', restricted: true }),
  'sandbox.outputMegabytes': setting({ group: 'sandbox', schema: z.int().min(1).max(1024), default: 4, description: 'What one session may print, before it is ended.', restricted: true }),
  'sandbox.observationCharacters': setting({ group: 'sandbox', schema: z.int().min(1000).max(10_000_000), default: 100_000, description: 'Characters of an observation that are kept; what is cut is said.', restricted: true }),
  'sandbox.sessions': setting({ group: 'sandbox', schema: z.int().min(1).max(1000), default: 320, description: 'Sessions at once; further ones wait for their turn.', restricted: true }),

  'run.folder': setting({ group: 'run', schema: z.string(), default: '', description: 'Output folder of the linked training run. *Link Run Folder* sets it.', restricted: true }),
  'review.name': setting({ group: 'review', schema: z.string(), default: '', description: 'Your name as a reviewer: it stands beside your decisions and notes. Asked for at the first decision.' }),
  'review.checkQueue': setting({ group: 'review', schema: z.boolean(), default: true, description: 'Check the files under review in the background, so that the queue can put first what is worth looking at. What was judged before is taken over.' }),

  'run.markCut': setting({ group: 'run', schema: z.boolean(), default: true, description: 'While a run is linked, mark in an environment’s editor where the run would cut it if it were pushed: its designer reads the first 2,000 characters.' }),
  'run.corpus': setting({ group: 'run', schema: z.string(), default: '', description: 'Corpus of documents (JSON lines) to ground designs on.' }),
} as const;

export type SettingKey = keyof typeof settings;
export type SettingValue<K extends SettingKey> = z.infer<(typeof settings)[K]['schema']>;

/** Full ids of the settings that an untrusted workspace cannot set. */
export function restrictedSettings(): string[] {
  return (Object.keys(settings) as SettingKey[]).filter((key) => settings[key].restricted).map((key) => `envwright.${key}`);
}
