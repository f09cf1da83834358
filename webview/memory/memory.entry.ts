import '../ui/base.css';
import './reading.css';
import './memory.css';
import { MemoryHost, MemoryView } from '../../src/shared/webviewMemory';
import { connect } from '../ui/host';
import { setStrings } from '../ui/strings';
import { Memory } from './memory';

const host = connect(MemoryHost, MemoryView, {
  requests: {},
  notes: { state: (state) => memory.setState(state), select: ({ key }) => memory.select(key) },
});
const memory = new Memory(host);

host.channel.request('ready', null).then(
  ({ strings, state }) => {
    setStrings(strings);
    memory.begin(state);
  },
  (error: unknown) => console.error(error),
);
