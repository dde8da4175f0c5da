/** Sources of imported files, as `place.source` names them, with their names for people. */
export const IMPORTED_SOURCES = {
  osm: 'OpenStreetMap',
  overture: 'Overture Maps',
  foursquare: 'Foursquare Open Source Places',
  geojson: 'Imported map data',
  csv: 'Imported table',
} as const;

export type ImportedSource = keyof typeof IMPORTED_SOURCES;

/** True for a source whose date of import does not show the age of its data. */
export function isImportedSource(source: string): source is ImportedSource {
  return Object.hasOwn(IMPORTED_SOURCES, source);
}
