import { describe, expect, it } from 'vitest';
import { withoutLongComments } from '../../../../src/core/environment/longComments';
import { environment, findings, read } from '../checks/static/harness';

const comments = (line: string, count = 150): string => `${line}\n`.repeat(count);
const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

describe('long runs of comments', () => {
  it.each(['# plain', '    # indented', "# it's a \"quoted\" {one}", '# ends in a backslash \\'])('are blank for the parser, each character in its place: %s', (line) => {
    const run = comments(line);
    expect(withoutLongComments(`x = 1\n${run}y = 2\n`)).toBe(`x = 1\n${blank(run)}y = 2\n`);
    expect(withoutLongComments(`x = 1\n${run.trimEnd()}`)).toBe(`x = 1\n${blank(run.trimEnd())}`);
  });

  it('are left as they are while they are short', () => {
    const text = `x = 1\n${comments('# plain', 99)}y = 2\n${comments('# plain', 99)}`;
    expect(withoutLongComments(text)).toBe(text);
  });

  it('leave a text of many lines as it is where they may close it', () => {
    const inside = `x = '''\n${comments('# a "quote"')}'''\ny = 1\n`;
    expect(withoutLongComments(inside)).toBe(inside);
    const closing = `x = '''\n${comments('# a')}# here ''' + f"{y}"\n${comments('# b')}`;
    expect(withoutLongComments(closing)).toContain('\n# here \'\'\' + f"{y}"\n');
    const continued = `x = "a\\\n# b" + "c\n${comments('# d', 99)}`;
    expect(withoutLongComments(continued)).toContain('\n# b" + "c\n');
  });

  it.each(['# plain', "# it's quoted"])('change no finding and no text of a node: %s', (line) => {
    const bad = environment({ step: '    def step(self, action):\n        return "x", 0.0, 1, False, {}' });
    const long = `${comments(line)}${bad}${comments(`    ${line}`)}\nTEXT = """\n${comments('# in a text')}"""\n`;
    const short = `${'\n'.repeat(150)}${bad}${'\n'.repeat(150)}\nTEXT = """\n${comments('# in a text')}"""\n`;
    expect(findings(long)).toEqual(findings(short));
    expect(findings(long).map(({ id }) => id)).toContain('terminated-not-bool');
    const texts = read(long).tree.nodes.filter(({ type }) => type === 'string').map(({ text }) => text);
    expect(texts.at(-1)).toBe(`"""\n${comments('# in a text')}"""`);
  });
});
