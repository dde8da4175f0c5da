-- The fact has the name of the member that shows it.
update place
set facts = facts - 'local_phone' || jsonb_build_object('phone_as_published', facts -> 'local_phone'),
  filled_by = case when filled_by ? 'local_phone'
    then filled_by - 'local_phone' || jsonb_build_object('phone_as_published', filled_by -> 'local_phone')
    else filled_by end
where facts ? 'local_phone';
