import { escapeHtml } from '../../shared/html';

/** What a panel's page is made of; addresses are the webview's own. */
export interface Page {
  readonly title: string;
  readonly language: string;
  readonly script: string;
  readonly style: string;
  /** The webview's content source, for the policy. */
  readonly source: string;
  /** Fresh for every page. */
  readonly nonce: string;
}

/**
 * The page of a panel. Nothing but the panel's own bundle may run or style: no inline script or style, no network, no
 * images, no frames. The toolkit probes for `:focus-visible` with an empty style element, to which it puts the nonce of
 * the `csp-nonce` meta; without it every mouse click would draw a focus ring.
 */
export function pageHtml({ title, language, script, style, source, nonce }: Page): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source} 'nonce-${nonce}'; font-src ${source}; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta property="csp-nonce" content="${escapeHtml(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${escapeHtml(style)}">
</head>
<body>
<script type="module" nonce="${escapeHtml(nonce)}" src="${escapeHtml(script)}"></script>
</body>
</html>`;
}
