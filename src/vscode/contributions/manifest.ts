import { z } from 'zod';
import { CATEGORY, commandId, commands, keys, MEMORY_VIEW_TYPE, menus, NAMESPACE, PLAYER_VIEW_TYPE, PROMPT_VIEW_TYPE, PUSH_VIEW_TYPE, viewContainer, viewId, views, walkthrough } from '../../shared/contributions';
import type { CommandDeclaration, CommandName, ViewDeclaration, ViewName } from '../../shared/contributions';
import { restrictedSettings, settingGroups, settings } from '../../shared/settings';
import type { SettingDeclaration, SettingGroup } from '../../shared/settings';

/** The parts of `package.json` that are generated, and the texts that its `%key%` stand for. */
export interface Manifest {
  readonly fields: Record<string, unknown>;
  readonly texts: Record<string, string>;
}

const entries = <K extends string, V>(object: Record<K, V>) => Object.entries(object) as [K, V][];

/** Builds the manifest from the declarations. */
export function buildManifest(): Manifest {
  const texts: Record<string, string> = {};
  const text = (key: string, value: string): string => {
    texts[key] = value;
    return `%${key}%`;
  };
  return {
    fields: {
      icon: 'media/icon.png',
      categories: ['Machine Learning', 'Linters', 'Testing'],
      activationEvents: ['onLanguage:python', ...[PLAYER_VIEW_TYPE, MEMORY_VIEW_TYPE, PUSH_VIEW_TYPE, PROMPT_VIEW_TYPE].map((type) => `onWebviewPanel:${type}`)],
      capabilities: {
        untrustedWorkspaces: {
          supported: 'limited',
          description: text('untrusted', 'In an untrusted workspace only static checks are made. No environment runs, no model is called, no run is written to.'),
          restrictedConfigurations: restrictedSettings(),
        },
        virtualWorkspaces: { supported: 'limited', description: text('virtual', 'Files that are not on a disk get static checks only.') },
      },
      contributes: {
        commands: commandEntries(text),
        menus: menuEntries(),
        keybindings: keys.map((key) => ({ ...key })),
        configuration: configuration(text),
        configurationDefaults: pagesAsRead(),
        viewsContainers: { activitybar: [{ ...viewContainer, title: text('container', viewContainer.title) }] },
        views: { [viewContainer.id]: viewEntries(text) },
        viewsWelcome: welcomeEntries(text),
        walkthroughs: [walkthroughEntry(text)],
      },
    },
    texts,
  };
}

/** The code of a finding opens its page as it reads: without a rule of its own the editor would show the page's source, to be edited. A hover opens no command. */
function pagesAsRead() {
  return { 'workbench.editorAssociations': { [`**/${NAMESPACE}.${NAMESPACE}-*/media/checks/*.md`]: 'vscode.markdown.preview.editor' } };
}

type Text = (key: string, value: string) => string;

function commandEntries(text: Text) {
  return entries<CommandName, CommandDeclaration>(commands).map(([name, { title, icon }]) => ({
    command: commandId(name),
    title: text(`command.${name}`, title),
    category: CATEGORY,
    ...(icon && { icon }),
  }));
}

function menuEntries() {
  const places: Record<string, object[]> = {
    commandPalette: entries<CommandName, CommandDeclaration>(commands)
      .filter(([, { when }]) => when)
      .map(([name, { when }]) => ({ command: commandId(name), when })),
  };
  for (const { menu, ...place } of menus) (places[menu] ??= []).push(place);
  return places;
}

function configuration(text: Text) {
  return entries<SettingGroup, string>(settingGroups).map(([group, title]) => ({
    id: `${NAMESPACE}.${group}`,
    title: text(`group.${group}`, title),
    properties: Object.fromEntries(
      entries<string, SettingDeclaration>(settings)
        .filter(([, declaration]) => declaration.group === group)
        .map(([key, declaration], order) => [`${NAMESPACE}.${key}`, property(key, declaration, order, text)]),
    ),
  }));
}

function property(key: string, { schema, default: value, description, enumDescriptions, restricted }: SettingDeclaration, order: number, text: Text) {
  const type = editorType(z.toJSONSchema(schema));
  return {
    ...type,
    default: value,
    markdownDescription: text(`setting.${key}`, description),
    ...(enumDescriptions && { markdownEnumDescriptions: enumDescriptions.map((line, index) => text(`setting.${key}.${index}`, line)) }),
    scope: restricted ? 'machine-overridable' : 'window',
    order,
  };
}

/** The schema as the settings editor can show a field for it: a number that may be null is one type, not a choice of two. */
function editorType({ $schema: _schema, anyOf, ...rest }: z.core.JSONSchema.BaseSchema): object {
  const [first, second] = anyOf ?? [];
  return first && second?.type === 'null' ? { ...first, type: [first.type, 'null'] } : { ...rest, ...(anyOf && { anyOf }) };
}

function viewEntries(text: Text) {
  return entries<ViewName, ViewDeclaration>(views).map(([name, { name: title, icon, visibility, when, initialSize }]) => ({
    id: viewId(name),
    name: text(`view.${name}`, title),
    icon,
    ...(visibility && { visibility }),
    ...(when !== undefined && { when }),
    ...(initialSize !== undefined && { initialSize }),
  }));
}

function welcomeEntries(text: Text) {
  return entries<ViewName, ViewDeclaration>(views).flatMap(([name, { welcome }]) =>
    welcome.map(({ when, text: contents }, index) => ({ view: viewId(name), contents: text(`welcome.${name}.${index}`, contents), ...(when && { when }) })),
  );
}

function walkthroughEntry(text: Text) {
  return {
    id: walkthrough.id,
    title: text('walkthrough.title', walkthrough.title),
    description: text('walkthrough.description', walkthrough.description),
    steps: walkthrough.steps.map(({ id, title, description, done }) => ({
      id,
      title: text(`walkthrough.${id}.title`, title),
      description: text(`walkthrough.${id}.description`, description),
      media: { markdown: `media/walkthrough/${id}.md` },
      completionEvents: completionEvents(done),
    })),
  };
}

/**
 * What ticks a step off. The editor passes over a condition that holds already when it reads the walkthrough, which it does when its page is first
 * opened: what was done before is told again by the page coming to the front.
 */
function completionEvents(condition: string): string[] {
  return [`onContext:${condition}`, `onContext:${condition} && activeEditor == gettingStartedPage`];
}
