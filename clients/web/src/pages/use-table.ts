/** A table as it is now: followed for as long as it is shown, and seen. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { type Problem, problemOf } from "../problems";
import { lair } from "../server";

export function useTable(name: string, token: string | undefined) {
  const table = useMemo(() => lair.table({ name, token }), [name, token]);
  const [state, setState] = useState(table.state);
  const [problem, setProblem] = useState<Problem>();
  const visible = useVisible();
  useEffect(() => {
    if (!visible) return;
    return table.listen(
      {
        changed: (now) => {
          setState(now);
          if (now.live) setProblem(undefined);
        },
        failed: (error) => setProblem(problemOf(error)),
      },
      { history: true },
    );
  }, [table, visible]);
  return { table, state, problem };
}

/** Whether anybody can see this page: it rests in a tab that is hidden. */
function useVisible(): boolean {
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const listener = () => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  }, []);
  return visible;
}
