// Film: three dimensions in a page. `play` runs the page of `blockdyn animate`, `Viewer` stands in other pages.

export { play } from "./player";
export { Viewer } from "./viewer";
