-- Whose word a contact is: a venue is asked only by what was published, or by what it set itself.

-- What a map or a provider published of a contact ({phone, email, website}) in whose place something else is shown.
alter table place add column published jsonb not null default '{}'
  constraint place_published_object check (jsonb_typeof(published) = 'object');
