/** Runs `work` once in the next frame, however often it is asked for. */
export function oncePerFrame(work: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}

/** Remembers the last value by its JSON and says whether a new one differs. */
export function changeOf<T>(): (value: T) => boolean {
  let last: string | undefined;
  return (value) => {
    const now = JSON.stringify(value) ?? 'undefined';
    if (now === last) return false;
    last = now;
    return true;
  };
}
