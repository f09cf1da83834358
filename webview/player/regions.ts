/** F6 and Shift+F6 move the focus from region to region, in the order of the page. */
export function moveByRegion(root: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'F6' || event.altKey || event.ctrlKey || event.metaKey) return;
    const regions = [...root.querySelectorAll<HTMLElement>('[data-region]')].filter((region) => region.offsetParent !== null);
    const at = regions.findIndex((region) => region.contains(document.activeElement));
    const step = event.shiftKey ? -1 : 1;
    for (let tried = 1; tried <= regions.length; tried++) {
      const region = regions[(at + step * tried + regions.length * 2) % regions.length];
      const target = region && firstStop(region);
      if (!target) continue;
      event.preventDefault();
      target.focus();
      return;
    }
  });
}

/** Where a region is entered: its roving stop, else its first control, else itself. */
function firstStop(region: HTMLElement): HTMLElement | null {
  return region.querySelector<HTMLElement>('[tabindex="0"]')
    ?? region.querySelector<HTMLElement>('button:not([disabled]), vscode-dropdown, vscode-button, vscode-text-field')
    ?? (region.tabIndex >= -1 ? region : null);
}
