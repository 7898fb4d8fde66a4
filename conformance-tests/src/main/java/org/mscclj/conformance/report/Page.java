package org.mscclj.conformance.report;

/** The page of a report: a template with one place for the data. */
final class Page {
    /** What the data takes the place of. */
    static final String DATA = "@DATA@";

    static final String TEMPLATE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>MSCCLJ conformance</title>
            <style>
            body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222; }
            table { border-collapse: collapse; width: 100%; }
            th, td { border-bottom: 1px solid #ddd; padding: .35em .6em; text-align: left; vertical-align: top; }
            td.outcome { font-weight: 600; white-space: nowrap; }
            .passed { color: #176f2c; } .failed { color: #b3261e; } .warned, .excluded { color: #8a5a00; }
            .skipped, .untested, .not-judged { color: #666; }
            details { font-weight: 400; white-space: normal; max-width: 26em; }
            code { font-size: 12px; word-break: break-all; }
            small { color: #666; }
            </style>
            </head>
            <body>
            <h1>Conformance of <span id="subject"></span></h1>
            <p id="summary"></p>
            <div id="unexplained"></div>
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
            const rules = [...new Set(data.results.map(r => r.rule))];
            const counts = {};
            data.results.forEach(r => counts[r.outcome] = (counts[r.outcome] || 0) + 1);
            document.getElementById('summary').textContent =
              Object.entries(counts).map(([k, v]) => v + ' ' + k).join(', ') + '; Java ' + data.java;
            data.unexplained.forEach(u => {
              const line = text('p', 'nobody judged (' + u.mode + '): ', document.getElementById('unexplained'));
              line.className = 'failed';
              text('code', u.what, line);
              text('span', ' ' + u.reason, line);
            });
            const head = document.getElementById('head');
            ['SPEC', 'rule', ...modes].forEach(name => text('th', name, head));
            rules.forEach(rule => {
              const row = text('tr', '', document.getElementById('body'));
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
                  text('summary', 'why', details);
                  text('p', result.reason, details);
                  result.notable.forEach(n => { text('p', n.outcome + ': ' + n.reason, details); text('code', n.case, details); });
                }
              });
            });
            </script>
            </body>
            </html>
            """;

    private Page() {}
}
