import { settingGroups, settings, type SettingGroup, type SettingKey } from '../../shared/settings';

const BEGIN = '<!-- settings: written by npm run generate -->';
const END = '<!-- end of settings -->';

/** Puts the table of settings between its marks in the README; a README without marks throws. */
export function withSettings(readme: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('The README has no place for the settings.');
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${table()}\n\n${readme.slice(end)}`;
}

function table(): string {
  const keys = Object.keys(settings) as SettingKey[];
  const rows = (Object.keys(settingGroups) as SettingGroup[]).flatMap((group) =>
    keys.filter((key) => settings[key].group === group).map((key) => {
      const { restricted, description } = settings[key];
      const value = JSON.stringify(settings[key].default);
      return `| \`${key}\`${restricted ? ' ⛨' : ''} | \`${value.replaceAll('|', '\\|')}\` | ${description.replaceAll('|', '\\|').replace(/\n+/g, ' ')} |`;
    }));
  return ['| setting | default | what it does |', '| --- | --- | --- |', ...rows].join('\n');
}
