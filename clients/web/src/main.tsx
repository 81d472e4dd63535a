/** The page: which part of it the address names. What stands after the # is for the browser alone. */

import { render } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Home } from "./pages/home";
import { Join } from "./pages/join";
import { Play } from "./pages/play";
import { Verify } from "./pages/verify";
import "./style.css";

function Page() {
  const [hash, setHash] = useState(location.hash);
  // Not useEffect, which waits for the page to be painted: an address that changed before would be missed.
  useLayoutEffect(() => {
    const listener = () => setHash(location.hash);
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);
  const [part, value = ""] = hash.slice(1).split("=");
  switch (part) {
    case "join":
      return <Join key={hash} invitation={{ joinCode: value }} />;
    case "listed":
      return <Join key={hash} invitation={{ name: `sessions/${value}` }} />;
    case "session":
      return <Play key={value} name={`sessions/${value}`} />;
    case "verify":
      return <Verify key={value} name={`sessions/${value}`} />;
    default:
      return <Home />;
  }
}

const place = document.getElementById("page");
if (place) {
  place.replaceChildren();
  render(<Page />, place);
}
