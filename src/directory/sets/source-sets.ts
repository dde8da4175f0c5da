import { closedSet } from '../../core/input/closed-set.ts';

/** Source of a place's record. */
export const placeSourceSet = closedSet('PlaceSource', {
  osm: 'OpenStreetMap.',
  overture: 'Overture Maps.',
  geojson: 'A file of map data that the operator of this directory loaded.',
  submission: 'An agent submitted it.',
  demo: 'It is fictional, for demonstration.',
});

/** Source of opening hours. The constraint place_hours_source_known has the same values. */
export const hoursSourceSet = closedSet('HoursSource', {
  owner: 'The venue, on its own pages here.',
  reviewer: 'Our staff, who checked it.',
  venue_website: "The venue's own website.",
  map: 'A public map.',
  agent: 'An agent; nobody has checked it, so it is never verified.',
});

/** Source of a rating. */
export const ratingSourceSet = closedSet('RatingSource', {
  public: 'The public, as counted by public sources.',
});

/** Source of a menu. */
export const menuSourceSet = closedSet('MenuSource', { owner: 'The venue wrote it here itself.' });

/** Fields of a record that sources can provide. */
export const placeFieldSet = closedSet('PlaceField', {
  name: 'What it is called.',
  kind: 'Its vertical and category.',
  city: 'Its city.',
  address: 'Its street address.',
  lat: 'Its latitude.',
  lng: 'Its longitude.',
  phone: 'Its phone number.',
  email: 'Its mail address.',
  website: 'Its website.',
  about: 'Its description.',
  languages: 'The languages that it speaks.',
  price_range: 'Its price range.',
  hours: 'Its opening hours.',
  booking: 'How it is booked.',
  cuisine: 'Its cuisines.',
  facts: 'One or more of its facts.',
});
export type PlaceField = (typeof placeFieldSet.values)[number];

/** Reason why a place is removed from a partner's copy. */
export const removalReasonSet = closedSet('LeftBecause', {
  website_dead: 'It is believed closed: its website is gone.',
  published_report: 'It is believed closed: a published source says so.',
  venue_said: 'It is believed closed: the venue said so.',
  closed: 'It is believed closed.',
  removed: 'It was taken out of the directory.',
  moved: 'It is listed under another destination now.',
  merged: 'It was a duplicate of another place, which remains.',
  demonstration: 'It was fictional and has been replaced by real places.',
});
