import '../ui/base.css';
import '../memory/reading.css';
import './push.css';
import { PushHost, PushView } from '../../src/shared/webviewPush';
import { connect } from '../ui/host';
import { setStrings } from '../ui/strings';
import { Push } from './push';

const host = connect(PushHost, PushView, { requests: {}, notes: { state: (state) => push.setState(state) } });
const push = new Push(host);

host.channel.request('ready', null).then(
  ({ strings, state }) => {
    setStrings(strings);
    push.begin(state);
  },
  (error: unknown) => console.error(error),
);
