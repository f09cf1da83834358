/** The style of the page: the editor's colours inside the editor, those of the reader's system elsewhere. */
export const auditStyle = `
:root { color-scheme: light dark; --fg: var(--vscode-foreground, light-dark(#1f2328, #d6d6d6)); --bg: var(--vscode-editor-background, light-dark(#ffffff, #1f1f1f));
  --muted: var(--vscode-descriptionForeground, light-dark(#59636e, #9d9d9d)); --line: var(--vscode-panel-border, light-dark(#d1d9e0, #3c3c3c));
  --bad: var(--vscode-errorForeground, light-dark(#b42318, #f48771)); --warn: var(--vscode-editorWarning-foreground, light-dark(#8a5a00, #cca700));
  --good: var(--vscode-testing-iconPassed, light-dark(#1a7f37, #73c991)); --link: var(--vscode-textLink-foreground, light-dark(#0969da, #4daafc)); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--fg); font: 13px/20px var(--vscode-font-family, system-ui, sans-serif); font-variant-numeric: tabular-nums; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 24px 64px; }
h1 { font-size: 22px; line-height: 28px; font-weight: 600; margin: 0 0 8px; }
h2 { font-size: 15px; line-height: 24px; font-weight: 600; margin: 32px 0 4px; }
p { margin: 0 0 12px; }
code { font: 12px/18px var(--vscode-editor-font-family, ui-monospace, monospace); overflow-wrap: anywhere; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
table { border-collapse: collapse; width: 100%; margin-bottom: 16px; }
caption { text-align: left; color: var(--muted); padding-bottom: 4px; }
th { text-align: left; font-weight: 600; color: var(--muted); }
td:first-child { min-width: 200px; }
th, td { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td > ul { margin: 0; padding: 0; list-style: none; }
ul.verdicts { display: flex; flex-wrap: wrap; gap: 24px; margin: 16px 0 0; padding: 0; list-style: none; }
ul.verdicts li { flex: 1 1 160px; }
ul.verdicts b { display: block; font-size: 22px; line-height: 28px; color: var(--fg); }
.bar { display: block; width: 100%; min-width: 80px; height: 6px; margin-top: 6px; }
.bar rect { fill: var(--line); }
.bar .fill { fill: currentColor; }
.bad { color: var(--bad); } .warn { color: var(--warn); } .good { color: var(--good); } .none { color: var(--muted); } .bar.plain { color: var(--link); }
.verdict { white-space: nowrap; }
.hole { color: var(--warn); border: 1px dashed currentColor; border-radius: 2px; padding: 0 4px; }
.notice { border: 1px solid var(--line); border-radius: 3px; padding: 8px 12px; }
summary { cursor: pointer; padding: 4px 0; }
`;
