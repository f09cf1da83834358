import * as vscode from 'vscode';
import { z } from 'zod';

const ActivePath = z.object({ path: z.string().min(1) });

/** As much of the Python extension's interface as is used; all of it may be missing in a version. */
interface PythonExtension {
  readonly environments?: { getActiveEnvironmentPath?(resource?: vscode.Uri): unknown };
}

/** The interpreter that the Python extension has chosen for the workspace; undefined without one. */
export async function editorPython(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
  if (!extension) return undefined;
  const api = extension.isActive ? extension.exports : await extension.activate();
  const active = ActivePath.safeParse(api?.environments?.getActiveEnvironmentPath?.(vscode.workspace.workspaceFolders?.[0]?.uri));
  return active.data?.path;
}
