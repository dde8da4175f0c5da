-- The page with the kill switch shows the drill that a lead began there.
create trigger kill_switch_drill_shown after insert or update of ended_at on kill_switch_drill
  for each row execute function notify_shown_data('''drills''');
