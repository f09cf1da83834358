/** Paths as texts. `/` is understood everywhere Node runs; `\` only where a path already uses it. */
const separatorOf = (path: string): string => (path.includes('\\') && !path.includes('/') ? '\\' : '/');

/** A path inside a folder. */
export function join(folder: string, ...names: string[]): string {
  const separator = separatorOf(folder);
  return [folder.replace(/[/\\]+$/, ''), ...names].join(separator);
}

/** The last name of a path. */
export function baseName(path: string): string {
  const trimmed = /[/\\]$/.test(path) ? path.replace(/[/\\]+$/, '') : path;
  return trimmed.slice(Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\')) + 1);
}

/** The folder that holds a path. */
export function parentOf(path: string): string {
  const trimmed = path.replace(/[/\\]+$/, '');
  return trimmed.slice(0, Math.max(0, trimmed.length - baseName(trimmed).length - 1)) || separatorOf(path);
}

/** The file name without its extension, as Python's `Path.stem`. */
export function stem(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
