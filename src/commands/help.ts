/** The output of `waypost help`. */
export const HELP = `waypost: an open places directory

Usage: waypost <command> [options]

  start                         run the service (as npm start does)
  migrate                       bring the database's tables up to date
  backup FILE                   write database and photos into one file, while the service runs
  backup verify FILE            restore it into a temporary folder, start the service on it without
                                sending anything, compare everything, and delete the copy
  restore FILE                  restore such a file into an empty DATA_DIR or DATABASE_URL
  demo [--places N] [--seed N]  replace the demonstration venues (24,000 places, seed 1)
  import osm FILE|FOLDER|URL [--auto-destinations] [--confirm-closures] [--as-of YYYY-MM-DD]
             [--watch]          import an .osm.pbf extract. --auto-destinations creates destinations
                                for its cities, towns and islands that are not covered yet, with
                                their outlines. --watch keeps running and imports updates as they
                                appear: newer extracts and change files (.osc.gz) in a folder, the
                                updates published for the extract, or a newer file at the address
  import geojson FILE [--confirm-closures] [--as-of YYYY-MM-DD]
                                import places from GeoJSON, plain or compressed with gzip
  import overture FILE [--confirm-closures] [--as-of YYYY-MM-DD]
                                import a parquet file of Overture's places.
                                An import that would close more than 2 % and more than 20 places
                                of a destination changes nothing, unless --confirm-closures
                                confirms the closures. A file without a date, in itself or on its
                                objects, needs --as-of: the day on which it was made
  import enrich FILE            add a web-mapping provider's ratings, prices and pages to the
                                places in the directory, from JSON lines or GeoJSON
  closure report --place ID --url URL --note TEXT
                                record a published report that a place has closed
  closure reopen --place ID --note TEXT
                                record that a place is open after all
  staff add --email E [--role reviewer|desk|lead] [--password P]
                                add a person; without --password, one is generated and shown
  partner add --email E --name N
                                add a partner and show its key
  review-account add --email E [--days N]
                                add an account for the reviewer of an app directory and show the
                                code to sign in with; no mail is sent (90 days, at most 365)
  review-account revoke --email E
                                end it, its sign-ins and its connections
  drill kill-switch --staff EMAIL --yes
                                halt all bookings of the running service for a few seconds, measure
                                how long it takes until nothing is sent any more, and resume
  listing server-json agent|partner|concierge
                                print the server.json of an endpoint, for the MCP registry
  listing chatgpt agent|partner|concierge
                                print the file that fills the submission form of ChatGPT's directory
  listing packet agent|partner|concierge
                                print what directories ask for: descriptions, tools, test prompts
  ledger verify                 recalculate the ledger and report inconsistencies
  bookings verify               check the timeline of every booking and list the broken ones
  help                          show this text

Settings come from the environment or a file named .env; .env.example lists them.
`;
