/** Colours of the theme as a canvas needs them: it cannot read variables. */
export interface ChartColours {
  readonly text: string;
  readonly muted: string;
  readonly lines: string;
  readonly ground: string;
  readonly hint: string;
  readonly noHint: string;
  readonly above: string;
  readonly below: string;
  readonly focus: string;
  /** Empty where the theme has none, as high contrast. */
  readonly selection: string;
  readonly font: string;
}

/** Reads the theme's colours now. */
export function chartColours(): ChartColours {
  const style = getComputedStyle(document.body);
  const read = (name: string, fallback: string): string => style.getPropertyValue(`--vscode-${name}`).trim() || fallback;
  const text = style.color;
  return {
    text,
    muted: read('descriptionForeground', text),
    lines: read('charts-lines', text),
    ground: read('editor-background', style.backgroundColor),
    hint: read('charts-blue', text),
    noHint: read('charts-purple', text),
    above: read('charts-green', text),
    below: read('charts-red', text),
    focus: read('focusBorder', text),
    selection: read('list-inactiveSelectionBackground', ''),
    font: `11px ${style.fontFamily}`,
  };
}

/** Calls back when the editor's theme changes: VS Code rewrites the root's style and the body's class. */
export function onThemeChange(listener: () => void): void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class', 'data-theme'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
}
