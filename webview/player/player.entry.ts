import '../ui/base.css';
import './player.css';
import { PlayerHost, PlayerView } from '../../src/shared/webviewProtocol';
import { connect } from '../ui/host';
import { setStrings } from '../ui/strings';
import { Player } from './player';

const host = connect(PlayerHost, PlayerView, {
  requests: {},
  notes: {
    state: (state) => player.setState(state),
    pair: (pair) => player.setPair(pair),
    stream: (items) => player.stream(items),
  },
});
const player = new Player(host);

host.channel.request('ready', null).then(
  ({ strings, state }) => {
    setStrings(strings);
    player.begin(state);
  },
  (error: unknown) => console.error(error),
);
