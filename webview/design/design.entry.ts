import '../ui/base.css';
import '../memory/reading.css';
import './design.css';
import { PromptHost, PromptPage } from '../../src/shared/webviewDesign';
import { connect } from '../ui/host';
import { setStrings } from '../ui/strings';
import { Design } from './design';

const host = connect(PromptHost, PromptPage, { requests: {}, notes: { state: (state) => design.setState(state), keep: (kept) => host.save(kept) } });
const design = new Design(host);

host.channel.request('ready', null).then(
  ({ strings, state }) => {
    setStrings(strings);
    design.begin(state);
  },
  (error: unknown) => console.error(error),
);
