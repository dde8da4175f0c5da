-- Whoever connected by OAuth had the mailbox for a name, which stands beside whatever they submitted.
update agent set operator_name = left('User of ' || agent_name, 120) where operator_name = left(operator_email, 120);
update submission s set operator_name = a.operator_name from agent a
  where a.id = s.agent_id and s.operator_name = left(a.operator_email, 120);
