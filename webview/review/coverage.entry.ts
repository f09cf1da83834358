import '../ui/base.css';
import './coverage.css';
import { CoverageHost, CoverageView } from '../../src/shared/webviewCoverage';
import { connect } from '../ui/host';
import { setStrings } from '../ui/strings';
import { CoveragePage } from './coverage';

const host = connect(CoverageHost, CoverageView, { requests: {}, notes: { state: (state) => page.update(state) } });
const page = new CoveragePage();

host.channel.request('ready', null).then(
  ({ strings, state }) => {
    setStrings(strings);
    page.update(state);
  },
  (error: unknown) => console.error(error),
);
