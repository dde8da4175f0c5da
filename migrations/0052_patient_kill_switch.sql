-- Statements of jobs wait only a moment for what somebody else has locked. This one waits: it comes after a step was
-- claimed, and whoever throws the switch is done as soon as what is under way has ended.
alter function hold_kill_switch() set lock_timeout = 0;
