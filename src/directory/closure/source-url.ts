/** URL of the source object of the place p, or else of its position on a map; null where neither is known. */
export const SOURCE_URL_SQL = `case
  when p.source in ('osm', 'geojson') and p.source_ref ~ '^(node|way|relation)/[0-9]+$'
    then 'https://www.openstreetmap.org/' || p.source_ref
  when p.source = 'overture' then 'https://explore.overturemaps.org/?feature=places.place.' || p.source_ref
  when p.source = 'foursquare' then 'https://foursquare.com/placemakers/review-place/' || p.source_ref
  when p.lat is not null then format('https://www.openstreetmap.org/?mlat=%s&mlon=%s', p.lat, p.lng) end`;
