/** What people call a place of worship, by its religion. */
export const RELIGIOUS_KINDS: Readonly<Record<string, string>> = {
  christian: 'church',
  muslim: 'mosque',
  jewish: 'synagogue',
  buddhist: 'temple',
  hindu: 'temple',
  sikh: 'temple',
  taoist: 'temple',
  shinto: 'shrine',
};
