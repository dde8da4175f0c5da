/** Returns a number with its noun: 1 place, 2 places. */
export function counted(value: number, singular: string, plural: string): string {
  return `${value} ${value === 1 ? singular : plural}`;
}
