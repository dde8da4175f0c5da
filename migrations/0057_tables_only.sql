-- Fictional venues without tables took table requests: taxis, clinics, apartments. They are booked on their own page or by
-- phone. What somebody chose for such a venue since then is a word, and stays.
update place set booking_method = case when booking_url is null then 'phone' else 'venue_system' end, chosen_by_venue = false
where source = 'demo' and booking_method = 'request' and not words ? 'booking'
  and vertical not in ('restaurant', 'cafe', 'bar', 'nightclub')
  and category not in ('restaurant', 'cafe', 'bar', 'pub', 'nightclub', 'food_hall', 'food_court', 'beach_club', 'wine_bar', 'tea_house');
