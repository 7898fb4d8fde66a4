package org.mscclj.conformance.report;

/** Fills the page of a report: a template with one placeholder for the data. */
final class Page {
    /** The placeholder that the data replaces. */
    static final String DATA = "@DATA@";

    static final String TEMPLATE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>MSCCLJ conformance</title>
            <style>
            :root {
              color-scheme: light dark;
              --back: #ffffff; --text: #1b1f24; --faint: #6a737d; --grid: #e1e4e8;
              --good: #176f2c; --bad: #b3261e; --doubt: #8a5a00;
            }
            @media (prefers-color-scheme: dark) {
              :root {
                --back: #14171b; --text: #e6e8eb; --faint: #9aa4af; --grid: #2c323a;
                --good: #6fd39b; --bad: #ff8a80; --doubt: #ffc266;
              }
            }
            body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em;
              background: var(--back); color: var(--text); }
            table { border-collapse: collapse; width: 100%; }
            th, td { border-bottom: 1px solid var(--grid); padding: .35em .6em; text-align: left; vertical-align: top; }
            td.outcome { font-weight: 600; white-space: nowrap; }
            .passed { color: var(--good); } .failed { color: var(--bad); } .warned, .excluded { color: var(--doubt); }
            .skipped, .untested, .not-judged { color: var(--faint); }
            .filter { display: flex; flex-wrap: wrap; gap: .3em 1em; margin: 1em 0; }
            .filter input[type=search] { flex: 1 1 16em; font: inherit; padding: .2em .5em; }
            details { font-weight: 400; white-space: normal; max-width: 26em; }
            code { font-size: 12px; word-break: break-all; }
            small { color: var(--faint); }
            </style>
            </head>
            <body>
            <h1>Conformance of <span id="subject"></span></h1>
            <p id="summary"></p>
            <div id="unexplained"></div>
            <form class="filter" id="filter" onsubmit="return false">
            <input type="search" id="words" placeholder="Rules with these words" aria-label="Rules with these words">
            </form>
            <table><thead><tr id="head"></tr></thead><tbody id="body"></tbody></table>
            <script id="data" type="application/json">@DATA@</script>
            <script>
            const data = JSON.parse(document.getElementById('data').textContent);
            const text = (tag, content, parent) => {
              const element = document.createElement(tag);
              element.textContent = content;
              parent.append(element);
              return element;
            };
            document.getElementById('subject').textContent = data.subject;
            const modes = [...new Set(data.results.map(r => r.mode))];
            // Those that ask for something come first; rules of one kind keep their order.
            const order = ['failed', 'warned', 'excluded', 'not judged', 'skipped', 'untested', 'passed'];
            const place = outcome => order.includes(outcome) ? order.indexOf(outcome) : order.length;
            const worst = {};
            data.results.forEach(r => worst[r.rule] = Math.min(worst[r.rule] ?? order.length, place(r.outcome)));
            const rules = [...new Set(data.results.map(r => r.rule))].sort((a, b) => worst[a] - worst[b]);
            const counts = {};
            data.results.forEach(r => counts[r.outcome] = (counts[r.outcome] || 0) + 1);
            document.getElementById('summary').textContent =
              Object.entries(counts).map(([k, v]) => v + ' ' + k).join(', ') + '; Java ' + data.java;
            data.unexplained.forEach(u => {
              const line = text('p', 'unexplained (' + u.mode + '): ', document.getElementById('unexplained'));
              line.className = 'failed';
              text('code', u.what, line);
              text('span', ' ' + u.reason, line);
            });
            const head = document.getElementById('head');
            ['SPEC', 'rule', ...modes].forEach(name => text('th', name, head));
            rules.forEach(rule => {
              const row = text('tr', '', document.getElementById('body'));
              row.dataset.outcomes = data.results.filter(r => r.rule === rule).map(r => r.outcome).join('\\n');
              const any = data.results.find(r => r.rule === rule);
              text('td', any.number, row);
              const name = text('td', any.force + '_' + rule, row);
              name.append(document.createElement('br'));
              text('small', any.statement, name);
              modes.forEach(mode => {
                const cell = text('td', '', row);
                const result = data.results.find(r => r.rule === rule && r.mode === mode);
                if (!result) return;
                cell.className = 'outcome ' + result.outcome.replace(' ', '-');
                text('span', result.outcome, cell);
                text('small', ' ' + result.cases + ' cases, '
                  + (result.skipped ? result.skipped + ' skipped, ' : '')
                  + (result.notJudged ? result.notJudged + ' not judged, ' : '') + result.millis + ' ms', cell);
                if (result.reason || result.notable.length) {
                  const details = text('details', '', cell);
                  details.open = result.outcome === 'failed';
                  text('summary', 'why', details);
                  text('p', result.reason, details);
                  result.notable.forEach(n => { text('p', n.outcome + ': ' + n.reason, details); text('code', n.case, details); });
                }
              });
            });
            const filter = document.getElementById('filter');
            Object.keys(counts).sort((a, b) => place(a) - place(b)).forEach(outcome => {
              const label = text('label', '', filter);
              const box = document.createElement('input');
              box.type = 'checkbox';
              box.checked = true;
              box.value = outcome;
              label.append(box, ' ' + outcome + ' (' + counts[outcome] + ')');
            });
            filter.addEventListener('input', () => {
              const shown = [...filter.querySelectorAll('input[type=checkbox]')].filter(b => b.checked).map(b => b.value);
              const words = document.getElementById('words').value.toLowerCase().split(/\\s+/).filter(w => w);
              [...document.getElementById('body').rows].forEach(row => {
                const content = row.textContent.toLowerCase();
                row.hidden = !row.dataset.outcomes.split('\\n').some(o => shown.includes(o))
                  || !words.every(word => content.includes(word));
              });
            });
            </script>
            </body>
            </html>
            """;

    private Page() {}
}
