() => new Promise((resolve) => {
  const painted = (entry) => entry && resolve({
    paint: entry.startTime, ready: performance.getEntriesByName("ready to judge")[0]?.startTime ?? 0 });
  new PerformanceObserver((list) => painted(list.getEntriesByName("first-contentful-paint")[0]))
    .observe({ type: "paint", buffered: true });
})
