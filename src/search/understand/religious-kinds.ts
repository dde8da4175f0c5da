/** Kinds of places of worship, by religion. */
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
