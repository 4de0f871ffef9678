// Searching as all lists do it: what is shown has every word that was typed, in any case and order.
export const wordsOf = (typed) => typed.toLowerCase().split(/\s+/u).filter(Boolean);

// A function that says whether a text has all the words; of nothing typed, every text has them.
export function finder(typed) {
  const words = wordsOf(typed);
  return (text) => {
    const low = words.length ? text.toLowerCase() : "";
    return words.every((word) => low.includes(word));
  };
}
