/** The output of `waypost help`. */
export const HELP = `waypost: an open places directory

Usage: waypost <command> [options]

  start                         run the service (as npm start does)
  migrate                       bring the database's tables up to date
  backup FILE                   write database and photos into one file, while the service runs
  backup verify FILE            restore it where nobody reaches it, start the service on it, compare
                                everything, and delete it again; nothing is sent
  restore FILE                  fill an empty DATA_DIR or DATABASE_URL from such a file
  demo [--places N] [--seed N]  replace the demonstration venues (24,000 places, seed 1)
  import osm FILE|FOLDER|URL [--auto-destinations] [--confirm-closures] [--as-of YYYY-MM-DD]
             [--watch]          bring in an .osm.pbf extract; the first option makes destinations
                                of its cities, towns and islands that none covers yet, with their
                                outlines. --watch goes on: newer extracts and change files (.osc.gz) of a folder,
                                what the extract says is published after it, or a newer file at
                                the address are brought in as they come
  import geojson FILE [--confirm-closures] [--as-of YYYY-MM-DD]
                                bring in places from GeoJSON, plain or compressed with gzip
  import overture FILE [--confirm-closures] [--as-of YYYY-MM-DD]
                                bring in a parquet file of Overture's places
                                An import that would close more than 2 % and more than 20 places
                                of a destination changes nothing, unless --confirm-closures says
                                that they have closed. A file that has no date, neither in itself
                                nor at its objects, needs --as-of: the day on which it was made
  import enrich FILE            add a web-mapping provider's ratings, prices and pages to the
                                places that are held, from JSON lines or GeoJSON
  closure report --place ID --url URL --note TEXT
                                record a published report that a place has closed
  closure reopen --place ID --note TEXT
                                record that a place is open after all
  staff add --email E [--role reviewer|desk|lead] [--password P]
                                add a person; without a password one is made and shown
  partner add --email E --name N
                                add a partner and show its key
  review-account add --email E [--days N]
                                add an account for the reviewer of a directory, and show the code
                                with which it signs in; no mail is sent (90 days, at most 365)
  review-account revoke --email E
                                end it, its sign-ins and its connections
  drill kill-switch --staff EMAIL --yes
                                halt all bookings of the running service for a few seconds, say how
                                long it took until nothing left any more, and let them go on
  listing server-json agent|partner|concierge
                                print the server.json of an endpoint, for the MCP registry
  listing chatgpt agent|partner|concierge
                                print the file that fills the submission form of ChatGPT's directory
  listing packet agent|partner|concierge
                                print what directories ask for: descriptions, tools, test prompts
  ledger verify                 count the ledger anew, and say whether everything fits
  bookings verify               check the timeline of every booking, and name each broken one
  help                          show this text

Settings come from the environment or a file named .env; .env.example lists them.
`;
