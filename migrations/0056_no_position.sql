-- A place of which only the town is known has no position. Until now it got the middle of its town, marked by
-- position_known = false; whether a position is known is now whether there is one.
alter table place alter column lat drop not null, alter column lng drop not null;
update place set lat = null, lng = null where not position_known;
alter table place drop column position_known,
  add constraint place_position_whole check ((lat is null) = (lng is null));
