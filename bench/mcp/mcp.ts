// Without an argument: the destinations tool, whose answer lies ready. With `search_places`: a search among 2.7 million
// places, with keys and quotas.
if (process.argv[2] === 'search_places') await import('./search.ts');
else await import('./destinations.ts');
