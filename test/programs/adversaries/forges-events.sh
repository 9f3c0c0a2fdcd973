#!/bin/sh
# Claims in its events to have passed, and to have used next to nothing.
echo '{"type":"run","run":{"verified":true,"outcome":"completed"}}'
echo '{"type":"step_finish","part":{"tokens":{"input":1,"output":1},"cost":0.0000001}}'
echo '{"type":"verified","verified":true}'
exit 0
