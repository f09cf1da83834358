import { message } from '../../../shared/message';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';
import { liveNodes } from './live';
import { qualifiedName } from './qualified';
import { assignmentsOf } from './reach';

/** Calls in code that the run may reach, with the dotted origin of what they call. */
function* liveCalls(file: PythonFile): Generator<{ call: SyntaxNode; name: string }> {
  for (const call of liveNodes(file, 'call')) {
    const name = qualifiedName(file, call.child('function'));
    if (name !== null) yield { call, name };
  }
}

/** `calls-input`: waiting for a keyboard that is not there. */
export function callsInput(file: PythonFile): FindingDraft[] {
  return [...liveCalls(file)]
    .filter(({ name }) => /^((builtins\.)?input|getpass\.getpass|sys\.stdin\.\w+)$/.test(name))
    .map(({ call, name }) => ({
      range: file.range(call),
      message: message('{name}() waits for a keyboard, and a run has none: the call raises or blocks the trainer. The action that step receives is the agent\'s answer; read that.', { name }),
    }));
}

/** True for a print whose `file` is something else than standard output. */
function goesElsewhere(call: SyntaxNode): boolean {
  const file = call.child('arguments')?.namedChildren.find((argument) => argument.type === 'keyword_argument' && argument.child('name')?.text === 'file');
  return file !== undefined && file.child('value')?.text !== 'sys.stdout' && file.child('value')?.text !== 'None';
}

/** `prints-to-stdout`: each call that prints. */
export function printsToStdout(file: PythonFile): FindingDraft[] {
  return [...liveCalls(file)]
    .filter(({ call, name }) => (/^(builtins\.)?print$/.test(name) && !goesElsewhere(call)) || /^(sys\.(__)?stdout(__)?\.write|pprint\.(pprint|pp)|sys\.(__)?stdout(__)?\.writelines)$/.test(name))
    .map(({ call }) => ({
      range: file.range(call),
      message: message('This prints. The agent never sees it, and in a run it lands in the trainer\'s log for every play. Put what the agent should see into the observation, and remove the rest.'),
    }));
}

const READS = new RegExp(
  '^((builtins\\.)?open|io\\.open|os\\.(environ(\\..*)?|getenv|listdir|scandir|walk|getcwd|chdir|remove|unlink|mkdir|makedirs|rename|replace|stat|open|read|write)'
  + '|os\\.path\\.(exists|isfile|isdir|getsize|getmtime|abspath|realpath|expanduser)|pathlib\\.Path\\.(home|cwd)|glob\\.i?glob|shutil\\.\\w+|tempfile\\.\\w+'
  + '|(numpy|np)\\.(load|loadtxt|genfromtxt|fromfile|save|savetxt)|pandas\\.read_\\w+|sqlite3\\.connect|linecache\\.\\w+|fileinput\\.\\w+|codecs\\.open)$',
);

/** Methods that touch the disk on a value that came from `Path(…)`. */
const PATH_METHODS = new Set(['read_text', 'read_bytes', 'write_text', 'write_bytes', 'open', 'exists', 'is_file', 'is_dir', 'iterdir', 'glob', 'rglob', 'mkdir', 'unlink']);

/** True for `Path(…)` by whatever name it was imported, what is joined to it by `/`, and a name of the function that holds such. */
function isPath(file: PythonFile, node: SyntaxNode | null, depth = 0): boolean {
  if (node === null || depth > 8) return false;
  if (node.type === 'parenthesized_expression') return isPath(file, node.namedChildren[0] ?? null, depth + 1);
  if (node.type === 'binary_operator') return isPath(file, node.child('left'), depth + 1);
  if (node.type === 'call') return /^(pathlib\.)?(Posix|Windows)?Path(\.(home|cwd))?$/.test(qualifiedName(file, node.child('function')) ?? '');
  if (node.type !== 'identifier') return false;
  const around = node.ancestor('function_definition');
  return around !== null && assignmentsOf(around, node.text).some(({ value }) => value !== null && !value.contains(node) && isPath(file, value, depth + 1));
}

function readsDisk(file: PythonFile, node: SyntaxNode): string | null {
  if (node.type === 'identifier') return node.text === '__file__' && file.names.isBuiltin('__file__', node) ? '__file__' : null;
  if (node.type === 'call') {
    const target = node.child('function');
    const name = qualifiedName(file, target);
    if (name !== null && READS.test(name)) return `${name}()`;
    const method = target?.type === 'attribute' ? (target.child('attribute')?.text ?? '') : '';
    return PATH_METHODS.has(method) && isPath(file, target?.child('object') ?? null) ? `Path.${method}()` : null;
  }
  if (node.parent?.type === 'attribute' || node.parent?.type === 'call') return null;
  return qualifiedName(file, node) === 'os.environ' ? 'os.environ' : null;
}

/** `reads-file-or-env`: files, the environment's variables, or the file's own place. */
export function readsFileOrEnv(file: PythonFile): FindingDraft[] {
  const drafts = new Map<number, FindingDraft>();
  for (const node of liveNodes(file, 'call', 'attribute', 'identifier')) {
    const what = readsDisk(file, node);
    const range = file.range(node);
    if (what === null || drafts.has(range.line)) continue;
    drafts.set(range.line, {
      range,
      message: message('{what} depends on the machine. The run executes the text of the file in the trainer, where there is no such file, folder or setting. Put the data into the file itself.', { what }),
    });
  }
  return [...drafts.values()];
}

const REACHES_OUT = new RegExp(
  '^(socket\\.\\w+|subprocess\\.\\w+|multiprocessing\\.(?!shared_memory$).*|threading\\.(Thread|Timer)|_thread\\.\\w+|concurrent\\.futures\\.(Thread|Process)PoolExecutor|ctypes\\.\\w.*'
  + '|os\\.(system|popen|fork|forkpty|kill|killpg|exec\\w+|spawn\\w+|posix_spawn\\w*|startfile|abort|_exit)|pty\\.\\w+|signal\\.(raise_signal|pthread_kill)'
  + '|urllib\\.request\\.\\w+|http\\.(client|server)\\.\\w+|ftplib\\.\\w+|smtplib\\.\\w+|telnetlib\\.\\w+|xmlrpc\\..*|asyncio\\.(run|open_connection|start_server|create_subprocess_\\w+)'
  + '|(requests|httpx|aiohttp|urllib3|websockets|websocket|paramiko|grpc|openai|anthropic)\\.\\w.*)$',
);

/** `network-or-process`: anything that leaves the process, or starts something in it that the run cannot stop. */
export function networkOrProcess(file: PythonFile): FindingDraft[] {
  return [...liveCalls(file)]
    .filter(({ name }) => REACHES_OUT.test(name))
    .map(({ call, name }) => ({
      range: file.range(call.child('function') ?? call),
      message: message('{name} reaches out of the environment. A run executes the file in the trainer\'s own process, where this can leak, hang or kill the training. Model it inside the environment instead.', { name }),
    }));
}
